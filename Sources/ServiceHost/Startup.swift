// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a server has started. Checking and migrating a large database can take minutes, in which the service is
/// alive but not ready.
public final class Startup: Sendable {
    private let hasEnded = Atomic(false)
    private let news = AsyncStream<Never>.makeStream()

    public init() {}

    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    public func end() {
        hasEnded.store(true, ordering: .releasing)
        news.continuation.finish()
    }

    /// Returns when it is over, or when the task is cancelled.
    public func wait() async {
        for await _ in news.stream {}
    }

    static let sentence = "The service is starting."
}
