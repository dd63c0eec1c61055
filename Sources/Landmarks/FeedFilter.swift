// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// Which changes a subscriber wants to hear of. Data: evaluated by this code at the publisher, by the reader of the log
/// and in the client.
///
/// A landmark matches when every part that is given does; a set, when one of its values is the landmark's. The empty
/// filter matches everything. `operations` looks at the change, the others at the landmark.
public struct FeedFilter: Hashable, Sendable {
    public var area: Area?
    /// Of the landmark; an empty text is one without a kind.
    public var kinds: Set<String>
    /// Who made the landmark.
    public var users: Set<String>
    /// The names of sources; an empty text is a landmark that came from none.
    public var sources: Set<String>
    public var ids: Set<Landmark.ID>
    /// What was done, or what it is to the watcher; empty: whatever.
    public var operations: Set<FeedOperation>

    public init(
        area: Area? = nil, kinds: Set<String> = [], users: Set<String> = [], sources: Set<String> = [],
        ids: Set<Landmark.ID> = [], operations: Set<FeedOperation> = []
    ) {
        (self.area, self.kinds, self.users, self.sources) = (area, kinds, users, sources)
        (self.ids, self.operations) = (ids, operations)
    }

    public static let everything = FeedFilter()

    public var isEmpty: Bool { matchesEveryLandmark && operations.isEmpty }

    /// Whether only `operations` says anything.
    public var matchesEveryLandmark: Bool {
        area == nil && kinds.isEmpty && users.isEmpty && sources.isEmpty && ids.isEmpty
    }

    public func matches(_ subject: FilterSubject) -> Bool {
        if !ids.isEmpty, !ids.contains(subject.id) { return false }
        if !kinds.isEmpty, !kinds.contains(subject.kind) { return false }
        if !users.isEmpty, !users.contains(subject.user) { return false }
        if !sources.isEmpty, !sources.contains(subject.source) { return false }
        return area?.contains(subject.coordinate) ?? true
    }

    /// What a change is to this filter; nil when it is nothing.
    ///
    /// - Parameters:
    ///   - after: the landmark afterwards; when it was removed, as it last was.
    ///   - before: the landmark before; nil when it was added.
    public func operation(
        of operation: Change.Operation, before: FilterSubject?, after: FilterSubject
    ) -> FeedOperation? {
        let told: FeedOperation
        switch (before.map(matches) ?? false, operation == .removed ? false : matches(after)) {
        case (false, false): return nil
        case (true, true): told = FeedOperation(operation)
        case (false, true): told = operation == .added ? .added : .entered
        case (true, false): told = operation == .removed ? .removed : .left
        }
        // Whoever asked for `changed` also wants the one that took a landmark away.
        guard operations.isEmpty || operations.contains(told) || operations.contains(FeedOperation(operation)) else {
            return nil
        }
        return told
    }

    public func operation(of change: Change) -> FeedOperation? {
        operation(
            of: change.operation, before: change.before.map(FilterSubject.init), after: FilterSubject(change.landmark))
    }
}

/// What a filter looks at in a landmark.
public struct FilterSubject: Hashable, Sendable {
    public var id: Landmark.ID
    public var coordinate: Coordinate
    public var kind: String
    public var user: String
    /// Empty: none.
    public var source: String

    public init(id: Landmark.ID, coordinate: Coordinate, kind: String, user: String, source: String) {
        (self.id, self.coordinate, self.kind, self.user, self.source) = (id, coordinate, kind, user, source)
    }

    public init(_ landmark: Landmark) {
        self.init(
            id: landmark.id, coordinate: landmark.coordinate, kind: landmark.kind, user: landmark.user,
            source: landmark.source?.name ?? "")
    }
}
