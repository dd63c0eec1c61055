// SPDX-License-Identifier: Apache-2.0

/// The start of a server. It can take minutes, because a large database is checked and migrated. Meanwhile the service
/// is alive but not ready.
public final class Startup: Sendable {
    private let news = ChangeSignal()

    public init() {}

    var isOver: Bool { news.isOver }

    public func end() { news.end() }

    /// Waits until the start is over or the task is cancelled, but at most for a year.
    public func wait() async { await news.wait(atMost: .seconds(365 * 86_400)) { isOver } }

    static let sentence = "The service is starting."
}
