// SPDX-License-Identifier: Apache-2.0

/// One revision of the change log: the effect of one command on one landmark.
public struct Change: Hashable, Sendable {
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        /// The landmark is new.
        case added
        /// The landmark's fields changed.
        case changed
        /// The landmark was removed together with its notes.
        case removed
        /// A note on the landmark was added, edited or removed.
        case noted
    }

    /// The revision. Revisions count from 1 without gaps: the change before this change has `rev - 1`.
    public var rev: UInt64
    /// The time in Unix milliseconds, for display only. Changes are ordered by `rev`.
    public var at: UInt64
    public var operation: Operation
    /// The user who made the change, as claimed by the client; empty for an ingest.
    public var user: String
    /// The landmark after the change. If the change removed it, its last state.
    public var landmark: Landmark
    /// The landmark before the change; nil if the change added it.
    public var before: Landmark?

    public init(
        rev: UInt64, at: UInt64, operation: Operation, user: String, landmark: Landmark, before: Landmark?
    ) {
        self.rev = rev
        self.at = at
        self.operation = operation
        self.user = user
        self.landmark = landmark
        self.before = before
    }
}
