// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The slow source: pages of the log, and the rules for requesting them.
extension FeedReceiver {
    /// Handles a page of the log. The page holds all changes in (position, through] that the filter accepts.
    ///
    /// - Parameter reader: the run of the storage that read the page; nil if the storage did not say.
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
        // The storage that read the page found the position in its history, so the position now belongs to its run.
        if hasMoved || reader != nil { reached.run = reader }
        position = reached
        if let reader, reader != run {
            // The buffered changes were published by another run than the one that read the page. The history may have
            // been cut between the two, so neither continues the other, and the changes wait: for a page that their own
            // run has read, or until their publisher continues in another run too. The service that answered may be
            // behind, so the next pull comes after a pause, and not with the next message.
            owesPull = run != nil
            guard hasMoved else { return actions }
            return reached.rev < anchor ? actions + pull() : actions + [.reached(rev: reached.rev)]
        }
        guard reached.rev >= anchor else {
            // If the page did not move the position, retry() asks for the next page after a pause.
            return hasMoved ? actions + pull() : actions
        }
        return isHeld ? actions : actions + drainChain()
    }

    /// Records that the pull failed. ``retry()`` asks again.
    public mutating func pullFailed() {
        isPulling = false
        owesPull = true
    }

    /// Repeats a failed pull. Call it after a pause.
    public mutating func retry() -> [Action] {
        guard !isOver, owesPull || position.rev < anchor || chainCount > 0 else { return [] }
        return pull()
    }

    /// Stops handing on changes until ``release()``, because the consumer's queue is full. The page of a pull that is
    /// under way is still handed on.
    public mutating func hold() {
        isHeld = true
    }

    /// Ends ``hold()``.
    public mutating func release() -> [Action] {
        guard isHeld else { return [] }
        isHeld = false
        guard !isOver, !isPulling else { return [] }
        let actions = owesPull || position.rev < anchor ? pull() : drainChain()
        return actions + resumed()
    }

    /// Reads the log from the position on without waiting for a message: at the start with a known position, or when
    /// beacons stay away.
    public mutating func poll() -> [Action] {
        pull()
    }
}
