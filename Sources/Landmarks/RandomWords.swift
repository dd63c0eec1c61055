// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The system's random numbers, fetched in batches.
///
/// `SystemRandomNumberGenerator` makes a system call for each number, which costs more than the rest of making an id.
/// The type is not copyable, because two copies would give the same numbers.
struct RandomWords: ~Copyable, Sendable {
    /// The number of words in a batch: `getentropy` returns at most 256 bytes.
    private static let count = 32

    private var words: [UInt64] = []
    private var system = SystemRandomNumberGenerator()

    mutating func next() -> UInt64 {
        if words.isEmpty { draw() }
        // `getentropy` fails only soon after the system was started. The standard generator waits then.
        return words.popLast() ?? system.next()
    }

    private mutating func draw() {
        words = [UInt64](unsafeUninitializedCapacity: Self.count) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            count = getentropy(bytes.baseAddress!, bytes.count) == 0 ? Self.count : 0
        }
    }
}
