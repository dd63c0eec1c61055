// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// Loops in which each step needs the result of the one before it, so that a step cannot overlap with the next.
enum ProcessorSteps {
    private static let integerBatch = 100_000
    private static let memoryBatch = 10_000
    /// 64 MiB in lines of 64 bytes: more than a processor's share of its caches.
    private static let lines = 1 << 20
    private static let lineBytes = 64

    /// - Parameter limit: in nanoseconds.
    /// - Returns: nanoseconds for a step, the median of batches.
    static func integer(_ limit: UInt64) -> Double {
        var word: UInt64 = 1
        return median(limit, integerBatch) {
            for _ in 0..<integerBatch {
                word = (word ^ (word >> 29)) &* 0x9e37_79b9_7f4a_7c15 &+ 1
            }
            return word
        }
    }

    /// - Parameter limit: in nanoseconds; making the memory is not counted.
    static func memory(_ limit: UInt64) -> Double {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: lines * lineBytes, alignment: lineBytes)
        defer { memory.deallocate() }
        for (line, next) in circle().enumerated() {
            memory.storeBytes(of: next, toByteOffset: line * lineBytes, as: UInt32.self)
        }
        var line: UInt32 = 0
        return median(limit, memoryBatch) {
            for _ in 0..<memoryBatch {
                line = memory.load(fromByteOffset: Int(line) * lineBytes, as: UInt32.self)
            }
            return UInt64(line)
        }
    }

    /// For each line the next one, in one circle through all of them (Sattolo's shuffle).
    private static func circle() -> [UInt32] {
        var next = (0..<UInt32(lines)).map { $0 }
        var random = SeededGenerator(seed: 1)
        for place in stride(from: lines - 1, to: 0, by: -1) {
            next.swapAt(place, Int(random.next() % UInt64(place)))
        }
        return next
    }

    /// The median, because another process may take the core during some of the batches.
    private static func median(_ limit: UInt64, _ steps: Int, _ batch: () -> UInt64) -> Double {
        var (times, results) = ([Double](), UInt64(0))
        let begun = NanoClock.now
        var now = begun
        repeat {
            let before = now
            results ^= batch()
            now = NanoClock.now
            times.append(Double(now - before) / Double(steps))
        } while now - begun < limit
        // The optimiser leaves out work whose result decides nothing. This value has 32 bits, because it also knows
        // that a result of the walk has no more.
        return results == 0xffff_ffff ? .nan : times.median ?? .nan
    }
}
