// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a server has started. Checking and migrating a large database can take minutes, in which the service is
/// alive but not ready.
public final class Startup: Sendable {
    private let hasEnded = Atomic(false)
    private let news = ChangeSignal()

    public init() {}

    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    public func end() {
        hasEnded.store(true, ordering: .releasing)
        news.end()
    }

    /// Returns when it is over, or when the task is cancelled. At the latest after a year.
    public func wait() async { await news.wait(atMost: .seconds(365 * 86_400)) { isOver } }

    static let sentence = "The service is starting."
}
