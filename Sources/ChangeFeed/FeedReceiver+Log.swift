// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The slow source: pages of the log, and when it is asked for one.
extension FeedReceiver {
    /// A page of the log was read: all that it has of (position, through] and the filter wants.
    ///
    /// - Parameter run: that of the storage which read it; nil when it did not say.
    public mutating func page(changes: [Item], through: UInt64, run reader: UUIDv7? = nil) -> [Action] {
        let actions = take(changes, through, reader)
        return actions + resumed()
    }

    mutating func take(_ changes: [Item], _ through: UInt64, _ reader: UUIDv7?) -> [Action] {
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
        // Who read the page has found the position in its history, so the position is one of its run by now.
        if hasMoved || reader != nil { reached.run = reader }
        position = reached
        if let reader, reader != run {
            // What gathered was published by another run than the one that read the page. Between the two the history
            // may have been cut, so neither follows the other; the next message begins the chain anew, and the log is
            // asked whether the position is one of its history.
            dropChain()
            run = nil
            guard hasMoved else { return actions }
            return reached.rev < anchor ? actions + pull() : actions + [.reached(rev: reached.rev)]
        }
        guard reached.rev >= anchor else {
            // After a page that did not move the position the next one is asked for by retry(), after a pause.
            return hasMoved ? actions + pull() : actions
        }
        return isHeld ? actions : actions + drainChain()
    }

    /// The pull was not answered. It is asked for again with ``retry()``.
    public mutating func pullFailed() {
        isPulling = false
        owesPull = true
    }

    /// Time to try again what has not been done: call it after a pause when a pull failed.
    public mutating func retry() -> [Action] {
        guard !isOver, owesPull || position.rev < anchor || chainCount > 0 else { return [] }
        return pull()
    }

    /// Hand on nothing more until ``release()``: whoever takes the changes has enough of them for now. A pull that is
    /// under way is still handed on.
    public mutating func hold() {
        isHeld = true
    }

    /// Go on after ``hold()``.
    public mutating func release() -> [Action] {
        guard isHeld else { return [] }
        isHeld = false
        guard !isOver, !isPulling else { return [] }
        let actions = owesPull || position.rev < anchor ? pull() : drainChain()
        return actions + resumed()
    }

    /// Read the log from the position on although no message asked for it: at the start with a known position, or when
    /// beacons stay away.
    public mutating func poll() -> [Action] {
        pull()
    }
}
