// SPDX-License-Identifier: Apache-2.0

/// Writes the text inside the quotes of a JSON string.
enum JSONText {
    /// Appends the text, and escapes every character that JSON forbids or a terminal acts on.
    ///
    /// Characters that need no escape are copied together up to the next that does; most texts are copied at once.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &bytes) }
    }

    /// Appends a text that is given as UTF-8. Bytes that are not UTF-8 give an unspecified text.
    static func append(utf8: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var (begin, at) = (0, 0)
        while at < utf8.count {
            let byte = utf8[at]
            guard mayNeedEscaping(byte) else {
                at += 1
                continue
            }
            let (scalar, length) = scalar(in: utf8, at)
            if scalar == "\"" || scalar == "\\" || Escaping.isDangerous(scalar) {
                bytes.append(contentsOf: utf8[begin..<at])
                escape(scalar, to: &bytes)
                begin = at + length
            }
            at += length
        }
        bytes.append(contentsOf: utf8[begin...])
    }

    /// Returns whether a character that has to be escaped may begin with this byte. Beyond ASCII such characters begin
    /// with C2 (U+0080 to U+00BF) or E2 (U+2000 to U+2FFF).
    private static func mayNeedEscaping(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f || byte == 0xc2 || byte == 0xe2
    }

    /// Returns the character that begins at this offset, and its number of bytes. In valid UTF-8, C2 and E2 come
    /// with the rest of their character, and the result is never a surrogate.
    private static func scalar(in utf8: UnsafeRawBufferPointer, _ at: Int) -> (Unicode.Scalar, Int) {
        func tail(_ place: Int) -> UInt32 { UInt32(utf8[at + place] & 0x3f) }
        switch utf8[at] {
        case 0xc2 where at + 1 < utf8.count: return (Unicode.Scalar(2 << 6 | tail(1)) ?? "\u{fffd}", 2)
        case 0xe2 where at + 2 < utf8.count:
            return (Unicode.Scalar(2 << 12 | tail(1) << 6 | tail(2)) ?? "\u{fffd}", 3)
        case let ascii: return (Unicode.Scalar(ascii), 1)
        }
    }

    private static func escape(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: "\\\"".utf8)
        case "\\": bytes.append(contentsOf: "\\\\".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\r": bytes.append(contentsOf: "\\r".utf8)
        case "\t": bytes.append(contentsOf: "\\t".utf8)
        default:
            let digits = String(scalar.value, radix: 16)
            bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        }
    }
}
