// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Accounts

@Suite("How many requests of strangers are answered", .computing)
struct TokenBucketsTests {
    @Test("some at once, then so many a second, for each address, and never more at once after a rest")
    func pace() {
        var buckets = TokenBuckets<String>(most: 64, every: 100)
        func taken(_ address: String, _ tries: Int, at now: UInt64) -> Int {
            (0..<tries).reduce(0) { sum, _ in sum + (buckets.takes(address, now: now) ? 1 : 0) }
        }
        #expect(taken("10.0.0.1", 1_000, at: 5_000) == 64)
        #expect(taken("10.0.0.1", 1_000, at: 5_099) == 0)
        #expect(taken("10.0.0.1", 1_000, at: 6_099) == 10)
        #expect(taken("10.0.0.2", 1_000, at: 6_099) == 64)
        #expect(taken("10.0.0.1", 1_000, at: 900_000) == 64)
        // A clock that was set back gives nothing.
        #expect(taken("10.0.0.1", 1_000, at: 0) == 0)
    }

    @Test("addresses without end do not fill memory")
    func bound() {
        var buckets = TokenBuckets<String>(most: 64, every: 100)
        for number in 0..<100_000 {
            let isTaken = buckets.takes("\(number)", now: UInt64(number))
            #expect(isTaken)
            #expect(buckets.count <= 10_000)
        }
    }
}
