// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// One revision of the change log, as far as a check needs it.
public struct LogEntry: Sendable, Hashable {
    /// What a filter looks at.
    public struct Subject: Sendable, Hashable {
        public var coordinate: Coordinate
        public var kind: String
        public var user: String

        public init(_ landmark: Landmark) {
            (coordinate, kind, user) = (landmark.coordinate, landmark.kind, landmark.user)
        }
    }

    public var rev: UInt64
    public var operation: Change.Operation
    public var id: Landmark.ID
    public var after: Subject
    public var before: Subject?
    /// Of the change.
    public var digest: UInt64
    /// Of the landmark afterwards.
    public var landmark: UInt64
    /// Which request made it, as ``Marker`` tells.
    public var marker: String
    /// The note that came with a landmark that was added.
    public var firstNote: String?

    public init(_ change: Change) {
        rev = change.rev
        operation = change.operation
        id = change.landmark.id
        after = Subject(change.landmark)
        before = change.before.map(Subject.init)
        digest = Digest.of(change)
        landmark = Digest.of(change.landmark)
        marker = Marker.of(change)
        firstNote = operation == .added ? change.landmark.notes.first?.text : nil
    }
}

/// The unique text by which a change is known to be a request's: the name of what is added, the link of what is edited,
/// the text of a note, the id of what is removed.
public enum Marker {
    static func of(_ change: Change) -> String {
        switch change.operation {
        case .added: return change.landmark.name
        case .changed: return change.landmark.link
        case .noted: return change.landmark.notes.last?.text ?? ""
        case .removed: return "\(change.landmark.id)"
        }
    }
}
