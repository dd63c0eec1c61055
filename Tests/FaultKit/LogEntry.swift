// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// A revision of the change log, with the fields that the checks need.
public struct LogEntry: Sendable, Hashable {
    /// The fields that filters use.
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
    /// The digest of the change.
    public var digest: UInt64
    /// The digest of the landmark after the change.
    public var landmark: UInt64
    /// Identifies the request that made the change, see ``Marker``.
    public var marker: String
    /// The first note of an added landmark.
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

/// The unique text that identifies the request behind a change: the name of an added landmark, the link of an edited
/// one, the text of a note, the id of a removed one.
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
