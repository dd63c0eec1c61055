// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A selection of the changes that a subscriber receives. The publisher, the reader of the log and the client all
/// evaluate it with this code.
///
/// A landmark matches if it fulfils every given condition. A set requires that it contains the landmark's value. The
/// empty filter matches everything. `operations` is compared with the change, the other conditions with the landmark.
public struct FeedFilter: Hashable, Sendable {
    public var area: Area?
    /// The kinds. An empty text matches landmarks without a kind.
    public var kinds: Set<String>
    /// The users who added the landmark.
    public var users: Set<String>
    /// The names of sources. An empty text matches landmarks that people added.
    public var sources: Set<String>
    public var ids: Set<Landmark.ID>
    /// The operations. One of them has to be that of the change itself, or the operation that the subscriber sees.
    /// Empty for any.
    public var operations: Set<FeedOperation>

    public init(
        area: Area? = nil, kinds: Set<String> = [], users: Set<String> = [], sources: Set<String> = [],
        ids: Set<Landmark.ID> = [], operations: Set<FeedOperation> = []
    ) {
        (self.area, self.kinds, self.users, self.sources) = (area, kinds, users, sources)
        (self.ids, self.operations) = (ids, operations)
    }

    public static let everything = FeedFilter()

    public var isEmpty: Bool {
        area == nil && kinds.isEmpty && users.isEmpty && sources.isEmpty && ids.isEmpty && operations.isEmpty
    }

    /// Adds the kinds, users and sources of another filter to those of this one, such as a fence's, which must lack them.
    ///
    /// - Throws: a condition that both filters have.
    public func narrowed(by other: FeedFilter) throws(DoubleCondition) -> FeedFilter {
        guard kinds.isEmpty || other.kinds.isEmpty else { throw .kind }
        guard users.isEmpty || other.users.isEmpty else { throw .user }
        guard sources.isEmpty || other.sources.isEmpty else { throw .source }
        var both = self
        both.kinds.formUnion(other.kinds)
        both.users.formUnion(other.users)
        both.sources.formUnion(other.sources)
        return both
    }

    /// A condition that both filters have, so that they cannot be combined.
    public enum DoubleCondition: String, Error { case kind, user, source }

    public func matches(_ subject: FilterSubject) -> Bool {
        if !ids.isEmpty, !ids.contains(subject.id) { return false }
        if !kinds.isEmpty, !kinds.contains(subject.kind) { return false }
        if !users.isEmpty, !users.contains(subject.user) { return false }
        if !sources.isEmpty, !sources.contains(subject.source) { return false }
        return area?.contains(subject.coordinate) ?? true
    }

    /// Returns the operation that a subscriber with this filter sees; nil if the change is not for the subscriber.
    ///
    /// - Parameters:
    ///   - after: the landmark after the change. If the change removed it, its last state.
    ///   - before: the landmark before the change; nil if the change added it.
    public func operation(
        of operation: Change.Operation, before: FilterSubject?, after: FilterSubject
    ) -> FeedOperation? {
        let seen: FeedOperation
        switch (before.map(matches) ?? false, operation == .removed ? false : matches(after)) {
        case (false, false): return nil
        case (true, true): seen = FeedOperation(operation)
        case (false, true): seen = operation == .added ? .added : .entered
        case (true, false): seen = operation == .removed ? .removed : .left
        }
        // A subscriber to `changed` also receives a change after which the landmark no longer matches.
        guard operations.isEmpty || operations.contains(seen) || operations.contains(FeedOperation(operation)) else {
            return nil
        }
        return seen
    }
}

/// The fields of a landmark that a filter compares.
public struct FilterSubject: Hashable, Sendable {
    public var id: Landmark.ID
    public var coordinate: Coordinate
    public var kind: String
    public var user: String
    /// The name of the source; empty if a person added the landmark.
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
