// SPDX-License-Identifier: Apache-2.0

/// Writes the text inside the quotes of a JSON string.
enum JSONText {
    /// Returns the number of bytes up to the first that may need an escape; most texts have none.
    static func plain(_ utf8: UnsafeRawBufferPointer) -> Int {
        var at = 0
        while at + 8 <= utf8.count {
            guard isPlain(utf8.loadUnaligned(fromByteOffset: at, as: UInt64.self)) else { return at }
            at += 8
        }
        if at + 4 <= utf8.count {
            // The two halves overlap if there are fewer than 8 bytes.
            let first = utf8.loadUnaligned(fromByteOffset: at, as: UInt32.self)
            let last = utf8.loadUnaligned(fromByteOffset: utf8.count - 4, as: UInt32.self)
            return isPlain(UInt64(last) << 32 | UInt64(first)) ? utf8.count : at
        }
        while at < utf8.count, utf8[at] < 0x80, !mayNeedEscaping(utf8[at]) { at += 1 }
        return at
    }

    /// Returns whether eight bytes are ASCII that needs no escape. A byte is zero if subtracting 1 sets its high bit;
    /// a borrow can only come from another byte that is not plain.
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quote, slash, delete) = (word ^ ones &* 0x22, word ^ ones &* 0x5c, word ^ ones &* 0x7f)
        let odd = (word &- ones &* 0x20) | (quote &- ones) | (slash &- ones) | (delete &- ones) | word
        return odd & (ones &* 0x80) == 0
    }

    /// Copies the first bytes of a text. Most are so few that calling `memmove` would take longer.
    @inline(__always)
    static func copy(_ text: UnsafeRawBufferPointer, _ size: Int, to place: UnsafeMutableRawPointer) {
        func word<Word: FixedWidthInteger>(_ at: Int, _ type: Word.Type) {
            place.storeBytes(of: text.loadUnaligned(fromByteOffset: at, as: type), toByteOffset: at, as: type)
        }
        switch size {
        case ..<4: for at in 0..<size { word(at, UInt8.self) }
        case ..<8:
            // The two halves overlap, as the last two words below.
            word(0, UInt32.self)
            word(size - 4, UInt32.self)
        case ...32:
            var at = 0
            while at < size - 8 {
                word(at, UInt64.self)
                at += 8
            }
            word(size - 8, UInt64.self)
        default: place.copyMemory(from: text.baseAddress ?? UnsafeRawPointer(place), byteCount: size)
        }
    }

    /// Writes a text that is given as UTF-8, and escapes every character that JSON forbids or a terminal acts on. Bytes
    /// that are not UTF-8 give an unspecified text.
    ///
    /// Characters that need no escape are copied together up to the next that does.
    static func write(utf8: UnsafeRawBufferPointer, to writer: inout JSONWriter) {
        var (begin, at) = (0, 0)
        while at < utf8.count {
            let byte = utf8[at]
            guard mayNeedEscaping(byte) else {
                at += 1
                continue
            }
            let (scalar, length) = scalar(in: utf8, at)
            if scalar == "\"" || scalar == "\\" || Escaping.isDangerous(scalar) {
                writer.put(UnsafeRawBufferPointer(rebasing: utf8[begin..<at]))
                escape(scalar, to: &writer)
                begin = at + length
            }
            at += length
        }
        writer.put(UnsafeRawBufferPointer(rebasing: utf8[begin...]))
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

    private static func escape(_ scalar: Unicode.Scalar, to writer: inout JSONWriter) {
        switch scalar {
        case "\"": writer.put("\\\"")
        case "\\": writer.put("\\\\")
        case "\n": writer.put("\\n")
        case "\r": writer.put("\\r")
        case "\t": writer.put("\\t")
        default:
            let digits = String(scalar.value, radix: 16)
            writer.put("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)")
        }
    }
}
