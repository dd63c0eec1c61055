// SPDX-License-Identifier: Apache-2.0

/// The operation that a subscriber sees. It is the change's own, unless the landmark enters or leaves the subscriber's
/// filter.
public enum FeedOperation: String, Hashable, Sendable, CaseIterable {
    case added, changed, removed, noted
    /// The landmark matches the filter now, but did not before. For example, it was moved into the area.
    case entered
    /// The landmark matched the filter before, but does not now.
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

/// A change as one subscriber receives it.
public struct FeedChange: Hashable, Sendable {
    public var change: Change
    /// The operation that this subscriber sees.
    public var operation: FeedOperation
    /// The position from which the subscriber continues after this change.
    public var position: Position

    public init(_ change: Change, as operation: FeedOperation, at position: Position) {
        self.change = change
        self.operation = operation
        self.position = position
    }
}
