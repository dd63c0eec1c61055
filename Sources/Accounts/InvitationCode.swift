// SPDX-License-Identifier: Apache-2.0

import Support

/// The code of an invitation: 100 random bits in twenty characters that people can read aloud, such as `7K3QD-…`. With
/// so many bits, a plain digest may be stored, because nobody can try all codes.
public enum InvitationCode {
    /// Crockford's base 32, which leaves out I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let characters = 20

    public static func make() -> String { make(from: RandomBytes.make(characters)) }

    /// - Parameter secret: unguessable bytes, at least as many as a code has characters.
    public static func make(from secret: [UInt8]) -> String {
        var text: [UInt8] = []
        for (place, byte) in secret.prefix(characters).enumerated() {
            if place > 0, place % 5 == 0 { text.append(UInt8(ascii: "-")) }
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the digest of a code, which storage keeps instead of the code. Case, hyphens and spaces are ignored.
    ///
    /// - Returns: nil if the text is not a code.
    public static func digest(_ code: String) -> [UInt8]? {
        let plain = code.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }.map { byte in
            byte & 0x40 != 0 ? byte & 0xdf : byte
        }
        guard plain.count == characters, plain.allSatisfy(alphabet.contains) else { return nil }
        return SHA256.hash(plain.span.bytes)
    }
}
