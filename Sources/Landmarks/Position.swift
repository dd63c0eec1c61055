// SPDX-License-Identifier: Apache-2.0

/// A revision in the history of one database.
public struct Position: Hashable, Sendable {
    /// The identifier of the history. When a backup is restored, a new history begins.
    public var epoch: UUIDv7
    /// The last revision seen.
    public var rev: UInt64
    /// The run of storage that reported the revision; nil if unknown, for example because a person typed the number.
    ///
    /// Storage records the revision at which each of its runs began. If somebody replaces the database by an older
    /// copy, the copy lacks the later runs, and the same revision may be a different change in it. So storage refuses a
    /// position with an unknown run. (In Raft, terms beside log indices serve the same purpose.)
    public var run: UUIDv7?

    public init(epoch: UUIDv7, rev: UInt64, run: UUIDv7? = nil) {
        self.epoch = epoch
        self.rev = rev
        self.run = run
    }
}
