// SPDX-License-Identifier: Apache-2.0

import Support
public import ZeroMQ

/// The secret of a grant: 128 random bits, of which storage keeps only the digest. Whoever has it does one thing
/// without an account. The text has 22 characters, which an address and a QR code can hold.
public struct GrantToken: Sendable, Hashable, CustomStringConvertible {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let count = 16
    private static let characters = 22

    private let bytes: [UInt8]

    /// Makes a new secret.
    public init() { bytes = RandomBytes.make(Self.count) }

    /// Reads a text; nil if it is not exactly what ``description`` makes.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characters else { return nil }
        var (bytes, held, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for character in text.utf8 {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            held = (held << 6 | UInt32(value)) & 0xffff
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> bits))
        }
        guard held & 0xf == 0 else { return nil }
        self.bytes = bytes
    }

    /// The secret in base 64 for addresses (RFC 4648, section 5), without padding.
    public var description: String {
        var (text, held, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in bytes + [0] {
            held = (held << 8 | UInt32(byte)) & 0xffff
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(Self.alphabet[Int(held >> bits & 63)])
            }
        }
        return String(decoding: text.prefix(Self.characters), as: UTF8.self)
    }

    /// The digest, SHA-256, by which storage knows the grant.
    public var digest: CurveKey? { CurveKey(bytes: SHA256.hash(bytes.span.bytes)) }
}
