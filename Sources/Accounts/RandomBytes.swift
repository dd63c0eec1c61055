// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Unguessable random bytes, which libsodium gets from the kernel.
public enum RandomBytes {
    /// Whether libsodium is initialised. This must happen before libsodium is first used, and may happen again.
    static let isInitialised = sodium_init() >= 0

    public static func make(_ count: Int) -> [UInt8] {
        precondition(isInitialised, "libsodium found no source of random numbers")
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, made in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            made = count
        }
    }
}
