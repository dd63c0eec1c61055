// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Texts in messages: UTF-8, which is mostly plain ASCII.
public enum WireText {
    /// Returns whether the bytes are ASCII. Tests eight bytes at a time.
    public static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (place, high): (Int, UInt64) = (0, 0)
        while place + 8 <= bytes.count {
            high |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < bytes.count {
            high |= UInt64(bytes[place])
            place += 1
        }
        return high & 0x8080_8080_8080_8080 == 0
    }

    /// Returns whether the bytes are UTF-8.
    public static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil
    }

    /// Decodes a text. Nil if the bytes are not UTF-8.
    public static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
        // The validating initialiser is generic, and slow if it is not specialised.
        isASCII(bytes) ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    /// Decodes a text.
    ///
    /// - Throws: `InvalidInput.missing` if the bytes are not UTF-8.
    public static func checked(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) -> String {
        guard let text = string(bytes) else { throw .missing("a text in UTF-8") }
        return text
    }
}
