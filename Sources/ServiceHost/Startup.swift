// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a server has started. One that checks and migrates a large database does nothing else for minutes: that is
/// alive, and not ready.
public final class Startup: Sendable {
    private let hasEnded = Atomic(false)

    public init() {}

    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    public func end() { hasEnded.store(true, ordering: .releasing) }

    static let sentence = "The service is starting."
}
