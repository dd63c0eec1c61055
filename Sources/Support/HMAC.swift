// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Computes HMAC-SHA256 (RFC 2104) of data that arrives in pieces.
public struct HMAC: Sendable {
    private var state = crypto_auth_hmacsha256_state()

    /// - Parameter key: a secret of any length.
    public init(key: [UInt8]) {
        _ = SHA256.isInitialised
        crypto_auth_hmacsha256_init(&state, key, key.count)
    }

    public mutating func update(_ bytes: [UInt8]) {
        crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// Returns the 32 bytes of the code.
    public consuming func finalize() -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        crypto_auth_hmacsha256_final(&state, &code)
        return code
    }
}
