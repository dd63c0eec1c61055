// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The end of one fetch with all its transfers: at a time, or as soon as somebody cancels it.
final class FetchDeadline: Sendable {
    private let cancelled = Atomic(false)
    private let timeout: Duration
    private let end: ContinuousClock.Instant

    /// - Parameter timeout: for all transfers together, from now on.
    init(timeout: Duration) {
        self.timeout = timeout
        end = .now + timeout
    }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Ends the present transfer within a second, and all later ones. Callable from any thread.
    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// The milliseconds until the end, rounded up, so that it has passed after them.
    ///
    /// - Throws: why there are none left.
    func left() throws(FetchError.Reason) -> Int {
        if isCancelled { throw .cancelled }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw .timedOut(timeout) }
        // More is as good as no limit, and libcurl takes no more.
        return Int(min(left / .milliseconds(1), Double(Int32.max - 1)).rounded(.up))
    }
}
