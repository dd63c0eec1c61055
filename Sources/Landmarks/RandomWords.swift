// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Random numbers of the system, fetched in batches.
///
/// `SystemRandomNumberGenerator` makes a system call for each number, which costs more than the rest of making an id.
/// Not copyable, because two copies would give the same numbers.
struct RandomWords: ~Copyable, Sendable {
    /// The numbers of one batch: `getentropy` returns at most 256 bytes.
    private static let count = 32

    private var words: [UInt64] = []
    private var system = SystemRandomNumberGenerator()

    mutating func next() -> UInt64 {
        if words.isEmpty { draw() }
        // `getentropy` fails only early in the start of the system. The standard generator waits instead.
        return words.popLast() ?? system.next()
    }

    private mutating func draw() {
        words = [UInt64](unsafeUninitializedCapacity: Self.count) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            count = getentropy(bytes.baseAddress!, bytes.count) == 0 ? Self.count : 0
        }
    }
}
