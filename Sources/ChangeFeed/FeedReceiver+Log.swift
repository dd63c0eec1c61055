// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The log, which is the slower source of changes, and the rules for requesting its pages.
extension FeedReceiver {
    /// Handles a page of the log, which holds all changes in (position, through] that the filter accepts.
    ///
    /// - Parameter reader: the run of the storage that read the page; nil if storage did not report it.
    public mutating func page(changes: [Item], through: UInt64, run reader: UUIDv7? = nil) -> [Action] {
        let actions = apply(changes, through, reader)
        return actions + resumed()
    }

    mutating func apply(_ changes: [Item], _ through: UInt64, _ reader: UUIDv7?) -> [Action] {
        guard !isOver, isPulling else { return [] }
        var reached = position
        isPulling = false
        owesPull = false
        var actions: [Action] = []
        for change in changes where change.rev > reached.rev {
            actions.append(.deliver(rev: change.rev, change.payload))
            reached.rev = change.rev
            counters.pulled += 1
        }
        reached.rev = max(reached.rev, through)
        let hasMoved = reached.rev != position.rev
        // The storage that read the page has found the position in its history, so the position now belongs to its run.
        if hasMoved || reader != nil { reached.run = reader }
        position = reached
        if let reader, reader != run {
            // The buffered changes come from another run than the page. The history may have been cut between the two
            // runs, so neither continues the other. The changes wait until a page was read by their own run, or until
            // their publisher also continues in another run. The storage that answered may be behind, so the next pull
            // comes after a pause, not with the next message.
            owesPull = run != nil
            guard hasMoved else { return actions }
            return reached.rev < anchor ? actions + poll() : actions + [.reached(rev: reached.rev)]
        }
        guard reached.rev >= anchor else {
            // If the page did not move the position, retry() requests the next page after a pause.
            return hasMoved ? actions + poll() : actions
        }
        return isHeld ? actions : actions + drainChain()
    }

    /// Records that the pull failed. ``retry()`` repeats it.
    public mutating func pullFailed() {
        isPulling = false
        owesPull = true
    }

    /// Repeats a failed pull. Must be called after a pause.
    public mutating func retry() -> [Action] {
        guard !isOver, owesPull || position.rev < anchor || chainCount > 0 else { return [] }
        return poll()
    }

    /// Stops handing on changes until ``release()``, because the consumer's queue is full. The page of a pull in
    /// progress is still handed on.
    public mutating func hold() {
        isHeld = true
    }

    /// Continues after ``hold()``.
    public mutating func release() -> [Action] {
        guard isHeld else { return [] }
        isHeld = false
        guard !isOver, !isPulling else { return [] }
        let actions = owesPull || position.rev < anchor ? poll() : drainChain()
        return actions + resumed()
    }

    /// Records the run whose storage answers the pulls from now on. Call it as soon as another storage serves.
    ///
    /// A chain of another run is dropped. Its publisher may be a storage that was replaced and does not know it, and
    /// its next message would continue the chain without a page of the log to prove it.
    public mutating func answered(by reader: UUIDv7) -> [Action] {
        guard !isOver, let run, run != reader else { return [] }
        counters.runs += 1
        self.run = nil
        anchor = 0
        let isNews = pulledBefore == nil
        if isNews { pulledBefore = counters.pulled }
        dropChain()
        return poll() + (isNews ? [.gap(rev: position.rev)] : [])
    }
}
