// SPDX-License-Identifier: Apache-2.0

/// What one command did to one landmark: exactly one revision of the change log.
public struct Change: Hashable, Sendable {
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        /// The landmark is new.
        case added
        /// Its fields changed.
        case changed
        /// It is gone, and its notes with it.
        case removed
        /// A note on it was written, rewritten or removed.
        case noted
    }

    /// Dense from 1: the change before this one has `rev - 1`.
    public var rev: UInt64
    /// Unix milliseconds, for people: order is `rev`.
    public var at: UInt64
    public var operation: Operation
    /// Who did it: a claimed name, or empty for an ingest.
    public var user: String
    /// The landmark afterwards; when it was removed, as it last was.
    public var landmark: Landmark
    /// The landmark before; nil when it was added.
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
