// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Asks a run to end before its time. What is under way is still waited for.
public final class LoadStop: Sendable {
    private let asked = Atomic(false)

    public init() {}

    public var isAsked: Bool { asked.load(ordering: .relaxed) }

    public func ask() { asked.store(true, ordering: .relaxed) }
}

/// What others see of a run while it goes on, and how they end it. All of it is called on the generator's thread, so it
/// has to return at once.
public struct LoadWatch: Sendable {
    public var stop: LoadStop
    /// At the end of each second that is counted: its number from 1, and what it came to.
    public var tell: (@Sendable (Int, Tally.Second) -> Void)?
    /// When the warm-up is over.
    public var countingBegins: @Sendable () -> Void

    public init(
        stop: LoadStop = LoadStop(), tell: (@Sendable (Int, Tally.Second) -> Void)? = nil,
        countingBegins: @escaping @Sendable () -> Void = {}
    ) {
        (self.stop, self.tell, self.countingBegins) = (stop, tell, countingBegins)
    }
}
