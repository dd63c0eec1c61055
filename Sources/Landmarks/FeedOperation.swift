// SPDX-License-Identifier: Apache-2.0

/// What a change is to a watcher: what was done, unless it made the landmark match the filter, or match no longer.
public enum FeedOperation: String, Hashable, Sendable, CaseIterable {
    case added, changed, removed, noted
    /// It matches now and did not before: it moved into the area, say.
    case entered
    /// It matched before and does not now. For a watcher it is gone.
    case left

    public init(_ operation: Change.Operation) {
        self =
            switch operation {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            case .noted: .noted
            }
    }
}

/// A change as one watcher gets it.
public struct FeedChange: Hashable, Sendable {
    public var change: Change
    /// What it is to this watcher.
    public var operation: FeedOperation
    /// Where to go on after it.
    public var position: Position

    public init(_ change: Change, as operation: FeedOperation, at position: Position) {
        self.change = change
        self.operation = operation
        self.position = position
    }
}
