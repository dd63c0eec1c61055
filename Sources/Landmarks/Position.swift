// SPDX-License-Identifier: Apache-2.0

/// A place in one database's history.
public struct Position: Hashable, Sendable {
    /// The identity of the history: another one after a backup was restored.
    public var epoch: UUIDv7
    /// The last revision seen.
    public var rev: UInt64
    /// The run of storage that told of this revision; nil when that is not known, as when a person typed the number.
    ///
    /// Storage knows where in the history each of its runs began. So it can tell a position of this history from one
    /// that was told by a run which a copy of the database, put back by hand, knows nothing of: the same revision may
    /// be another change there. (Raft's log matching is the same thought: a term beside an index.)
    public var run: UUIDv7?

    public init(epoch: UUIDv7, rev: UInt64, run: UUIDv7? = nil) {
        self.epoch = epoch
        self.rev = rev
        self.run = run
    }
}
