// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The start of a server. Checking and migrating a large database can take minutes, in which the service is alive but
/// not ready.
public final class Startup: Sendable {
    private let hasEnded = Atomic(false)
    private let news = ChangeSignal()

    public init() {}

    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    public func end() {
        hasEnded.store(true, ordering: .releasing)
        news.end()
    }

    /// Waits until the start is over, the task is cancelled, or a year has passed.
    public func wait() async { await news.wait(atMost: .seconds(365 * 86_400)) { isOver } }

    static let sentence = "The service is starting."
}
