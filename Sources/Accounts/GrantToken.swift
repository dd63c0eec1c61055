// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Support
public import ZeroMQ

/// The secret of a grant: 128 random bits, of which storage keeps only the digest. Whoever has it does one thing
/// without an account. The text has 22 characters, which an address and a QR code can hold.
public struct GrantToken: Sendable, Hashable, CustomStringConvertible {
    private static let count = 16
    private static let characters = 22

    private let bytes: [UInt8]

    /// Makes a new secret.
    public init() { bytes = RandomBytes.make(Self.count) }

    /// Reads a text; nil if it is not exactly what ``description`` makes.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characters, let data = Data(base64URL: String(text)) else { return nil }
        bytes = [UInt8](data)
        // The last character may have had bits that no byte has.
        guard description == text else { return nil }
    }

    /// The secret in base 64 for addresses (RFC 4648, section 5), without padding.
    public var description: String { Data(bytes).base64URL }

    /// The digest, SHA-256, by which storage knows the grant.
    public var digest: CurveKey? { CurveKey(bytes: SHA256.hash(bytes.span.bytes)) }
}
