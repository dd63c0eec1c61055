// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A named place with a coordinate, and what people added to it. `landmark.kind` is `landmark.attributes.kind`.
@dynamicMemberLookup
public struct Landmark: Hashable, Sendable {
    public typealias ID = UUIDv7

    /// The id, which storage assigns when the landmark is added. A landmark that is added later has a greater id.
    public var id: ID
    /// The name, 1 to 200 characters.
    public var name: String
    /// The coordinate in degrees of WGS84.
    public var coordinate: Coordinate
    public var attributes: Attributes
    /// The name of the account that added the landmark; a claimed name if accounts are not required; empty if a source
    /// added it.
    public var user: String
    /// The number of the account that owns the landmark; 0 if none does.
    public var account: UInt64
    /// The row from which the landmark was ingested; nil if a person added it.
    public var source: SourceKey?
    /// The notes in the order in which they were written.
    public var notes: [Note]
    /// The version, which is 1 when the landmark is added and grows by 1 with every change. `--if-version` compares it.
    public var version: UInt64
    /// The revision of the last change.
    public var rev: UInt64
    /// The time when the landmark was added, in Unix milliseconds. For display only: nothing is ordered by it.
    public var created: UInt64
    /// The time of the last change in Unix milliseconds. For display only: nothing is ordered by it.
    public var updated: UInt64
    /// Fields of a later version of the protocol, as encoded bytes. An edit keeps them.
    public var later: [UInt8]

    public init(
        id: ID, name: String, coordinate: Coordinate, attributes: Attributes = Attributes(), user: String = "",
        account: UInt64 = 0, source: SourceKey? = nil, notes: [Note] = [], version: UInt64 = 1, rev: UInt64 = 0,
        created: UInt64 = 0, updated: UInt64 = 0, later: [UInt8] = []
    ) {
        self.id = id
        self.name = name
        self.coordinate = coordinate
        self.attributes = attributes
        self.user = user
        self.account = account
        self.source = source
        self.notes = notes
        self.version = version
        self.rev = rev
        self.created = created
        self.updated = updated
        self.later = later
    }

    // Inlinable, so that the compiler replaces the key path by access to the property.
    @inlinable
    public subscript<Value>(dynamicMember path: WritableKeyPath<Attributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}

/// Identifies a row of a source, so that the next ingest updates the same landmark.
public struct SourceKey: Hashable, Sendable {
    /// The source's name in the configuration.
    public var name: String
    /// The row's id if the source has ids; otherwise a key made of the row's name and position (``NameKey``).
    public var key: String
    /// Unknown fields, as in ``Landmark``.
    public var later: [UInt8]

    public init(name: String, key: String, later: [UInt8] = []) {
        self.name = name
        self.key = key
        self.later = later
    }
}

/// A note that a user wrote on a landmark. Every user may write on every landmark.
public struct Note: Hashable, Sendable {
    public typealias ID = UUIDv7

    public var id: ID
    /// The text, 1 to 10,000 characters.
    public var text: String
    /// The name of the account that wrote the note, or a claimed name, as in ``Landmark``.
    public var user: String
    /// The number of the account that wrote the note; 0 if none did.
    public var account: UInt64
    /// The time of the last edit, in Unix milliseconds.
    public var at: UInt64
    /// Unknown fields, as in ``Landmark``.
    public var later: [UInt8]

    public init(id: ID, text: String, user: String, account: UInt64 = 0, at: UInt64, later: [UInt8] = []) {
        self.id = id
        self.text = text
        self.user = user
        self.account = account
        self.at = at
        self.later = later
    }
}
