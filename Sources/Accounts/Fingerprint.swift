// SPDX-License-Identifier: Apache-2.0

import Support
public import ZeroMQ

/// A short text that people compare instead of a key. It shows the first 16 bytes of the key's SHA-256 hash, in groups
/// of four hexadecimal digits.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ publicKey: CurveKey) {
        let hash = SHA256.hash(publicKey.bytes.span.bytes)
        description = stride(from: 0, to: 16, by: 2).map { hash[$0...$0 + 1].hexadecimal }.joined(separator: ":")
    }
}
