// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The system's random numbers, some at a time.
///
/// Each number of `SystemRandomNumberGenerator` is a system call, which takes longer than all else about an id. Not
/// copyable: two copies would give the same numbers.
struct RandomWords: ~Copyable, Sendable {
    /// `getentropy` gives 256 bytes at most.
    private static let count = 32

    private var words: [UInt64] = []
    private var system = SystemRandomNumberGenerator()

    mutating func next() -> UInt64 {
        if words.isEmpty { draw() }
        // The system has none to give at once where it has only just started: it waits for the single one.
        return words.popLast() ?? system.next()
    }

    private mutating func draw() {
        words = [UInt64](unsafeUninitializedCapacity: Self.count) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            count = getentropy(bytes.baseAddress!, bytes.count) == 0 ? Self.count : 0
        }
    }
}
