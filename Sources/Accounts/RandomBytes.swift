// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Unguessable random bytes from the kernel, by libsodium.
public enum RandomBytes {
    /// libsodium must be initialised before its first use, and may be initialised again.
    static let isInitialised = sodium_init() >= 0

    public static func make(_ count: Int) -> [UInt8] {
        precondition(isInitialised, "libsodium found no source of random numbers")
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, made in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            made = count
        }
    }
}
