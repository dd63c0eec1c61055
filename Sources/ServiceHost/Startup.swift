// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a server has started. Checking and migrating a large database can take minutes, in which the service is
/// alive but not ready.
public final class Startup: Sendable {
    private let hasEnded = Atomic(false)

    public init() {}

    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    public func end() { hasEnded.store(true, ordering: .releasing) }

    /// Returns when it is over, or when the task is cancelled.
    public func wait() async {
        while !isOver, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
    }

    static let sentence = "The service is starting."
}
