// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkClient
import ZeroMQ

/// A closed loop through ``WaymarkClient``, as programs use it: one client, and tasks that each await their answers.
struct ClientLoad: Sendable {
    let client: WaymarkClient
    /// Does the operation of a number from 1.
    let operation: @Sendable (WaymarkClient, UInt64) async throws -> Void

    /// - Parameter shape: a closed loop of a duration, whose window is the number of tasks.
    func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        guard case .closed(let window) = shape.loop, case .duration(let seconds) = shape.end else {
            throw TableError.unreadable("the shape of a load")
        }
        let counting = NanoClock.now + UInt64(shape.warmUp * 1e9)
        let end = counting + UInt64(seconds * 1e9)
        let tally = Locked(Tally(from: counting, watch: watch))
        let numbers = Locked(UInt64(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await Task.sleep(for: .seconds(shape.warmUp))
                watch.countingBegins()
            }
            for _ in 0..<window {
                group.addTask {
                    while !watch.stop.isAsked {
                        let number = numbers.withLock { number in
                            number += 1
                            return number
                        }
                        let begun = NanoClock.now
                        guard begun < end else { return }
                        try await operation(client, number)
                        let now = NanoClock.now
                        guard now >= counting, now < end else { continue }
                        tally.withLock { $0.record(now - begun, bytes: 0, at: now) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let counted = tally.withLock { $0 }
        return LoadResult(counted, seconds: seconds)
    }
}
