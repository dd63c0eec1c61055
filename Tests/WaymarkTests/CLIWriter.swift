// SPDX-License-Identifier: Apache-2.0

import TestProcess
import WaymarkClient
import ZeroMQ

/// Adds landmarks one after another until it is stopped. After that every add was acknowledged.
final class CLIWriter: Sendable {
    private let isOver = Locked(false)
    private let count = Awaited<UInt64>(0)
    private let task: Task<UInt64, any Error>

    init(_ client: WaymarkClient) {
        task = Task { [isOver, count] in
            var head: UInt64 = 0
            while !isOver.withLock({ $0 }) {
                head = try await CLITailTests.add(1, client)
                count.update { $0 += 1 }
            }
            return head
        }
    }

    /// Returns when this many more were added.
    func wait(for more: UInt64) async throws {
        let enough = count.now + more
        try await count.wait(.seconds(120), for: "\(more) more adds") { $0 >= enough ? () : nil }
    }

    /// - Returns: the last revision.
    @discardableResult
    func stop() async throws -> UInt64 {
        isOver.withLock { $0 = true }
        return try await task.value
    }
}
