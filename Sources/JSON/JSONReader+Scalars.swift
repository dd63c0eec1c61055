// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
    /// Reads a number and keeps its digits; see ``JSONValue/number(_:)``.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let integer = try digits()
        if integer.count > 1, bytes[integer.lowerBound] == UInt8(ascii: "0") {
            throw malformed("a number begins with 0")
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            _ = try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            _ = try digits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) -> Range<Int> {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        if position == start { throw position < bytes.count ? malformed("a digit was expected") : cutOff }
        return start..<position
    }

    mutating func string() throws(JSONError) -> String {
        position += 1
        // `text` contains the decoded bytes before `start`. It stays empty until there is an escape.
        var (text, start) = ([UInt8](), position)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                if text.isEmpty { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
                text += bytes[start..<position - 1]
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                position += 1
                try escape(into: &text)
                start = position
            case 0..<0x20: throw malformed("a string contains a control character")
            default: position += 1
            }
        }
        throw cutOff
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw cutOff }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
        default:
            position -= 1
            throw malformed("the escape is unknown")
        }
    }

    /// Reads the four digits of `\uXXXX`, or a whole surrogate pair. A single surrogate becomes U+FFFD unless the
    /// reader is strict.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let mark = position
        if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            position += 2
            let trail = try hexadecimal()
            if UTF16.isTrailSurrogate(trail) { return UTF16.decode(UTF16.EncodedScalar([unit, trail])) }
            position = mark
        }
        if isStrict { throw malformed("\\u has half a surrogate pair") }
        return "\u{fffd}"
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count else { throw cutOff }
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw malformed("\\u needs four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
