// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Computes SHA-256 of data that arrives in pieces.
public struct SHA256: Sendable {
    /// libsodium must be initialized before its first use, and may be initialized again, from any thread. It fails if
    /// there is no source of random numbers, which a digest does not need.
    static let isInitialised = sodium_init() >= 0

    private var state = crypto_hash_sha256_state()

    public init() {
        _ = Self.isInitialised
        crypto_hash_sha256_init(&state)
    }

    public mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            crypto_hash_sha256_update(&state, start.assumingMemoryBound(to: UInt8.self), UInt64(buffer.count))
        }
    }

    /// Returns the 32 bytes of the digest.
    public consuming func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(crypto_hash_sha256_BYTES)) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            crypto_hash_sha256_final(&state, start)
            count = buffer.count
        }
    }

    /// Returns the digest of bytes that are all in memory.
    public static func hash(_ bytes: RawSpan) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finalize()
    }
}
