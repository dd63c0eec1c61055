// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import ZeroMQ

/// Adds one landmark after another until it is told to stop; then every add was acknowledged.
final class CLIWriter: Sendable {
    private let isOver = Locked(false)
    private let count = Awaited<UInt64>(0)
    private let task: Task<Void, any Error>

    init(_ client: WaymarkClient) {
        task = Task { [isOver, count] in
            while !isOver.withLock({ $0 }) {
                try await CLITailTests.add(1, client)
                count.update { $0 += 1 }
            }
        }
    }

    /// Returns when so many more were added.
    func wait(for more: UInt64) async throws {
        let enough = count.now + more
        try await count.wait(.seconds(30), for: "\(more) more adds") { $0 >= enough ? () : nil }
    }

    func stop() async throws {
        isOver.withLock { $0 = true }
        try await task.value
    }
}
