// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestTurns
import Testing

@testable import Monitoring
@testable import WebServer

/// A service as its listener sees it: whether it answers, and its problems.
final class ImaginedService: Sendable {
    let isStuck = Mutex(false)
    let problems = Mutex<[String]>([])
    let turns = Mutex(0)

    func pages(patience: Duration = MonitoringPages.patience) -> MonitoringPages {
        MonitoringPages(
            turn: { await self.turn() },
            problems: {
                await self.turn()
                return self.problems.withLock { $0 }
            },
            collect: {
                await self.turn()
                return []
            }, patience: patience)
    }

    private func turn() async {
        turns.withLock { $0 += 1 }
        try? await until("the service goes on", within: .seconds(600)) { !isStuck.withLock { $0 } }
    }

    /// Its listener.
    func watched(patience: Duration = .seconds(60), idle: Int64 = 75, head: Int64 = 5) async throws -> Watched {
        let pages = pages(patience: patience)
        var limits = MonitoringListener.limits
        (limits.idle, limits.head) = (.seconds(idle), .seconds(head))
        return try await Watched(pages) { [limits] in
            MonitoringListener($0, pages: pages, logger: Watched.silent, limits: limits, listening: $1)
        }
    }
}
