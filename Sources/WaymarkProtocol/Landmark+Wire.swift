// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Geodesy
public import Landmarks
import SwiftProtobuf

extension Coordinate {
    /// - Throws: ``InvalidInput/coordinate(_:)`` for what is no place on earth.
    public init(wireLatitude latitude: Double, longitude: Double) throws(InvalidInput) {
        do {
            try self.init(writtenLatitude: latitude, longitude: longitude)
        } catch {
            throw .coordinate(error.description)
        }
    }
}

extension UUIDv7 {
    /// - Throws: ``InvalidInput/missing(_:)`` unless there are 16 bytes.
    public init(wire bytes: Data, _ what: String) throws(InvalidInput) {
        guard let id = UUIDv7(bytes: bytes) else { throw .missing("the 16 bytes of \(what)") }
        self = id
    }

    public var wire: Data { Data(bytes) }
}

extension SwiftProtobuf.Message {
    /// The fields that this release does not know, as they were encoded.
    fileprivate var later: [UInt8] { [UInt8](unknownFields.data) }

    /// A message of nothing but these fields. What is no field of it, because somebody made it up, is left out.
    fileprivate init(later: [UInt8]) {
        self = later.isEmpty ? Self() : (try? Self(serializedBytes: later)) ?? Self()
    }
}

extension WireLandmark {
    public init(_ landmark: Landmark) {
        self.init(later: landmark.later)
        id = landmark.id.wire
        name = landmark.name
        lat = landmark.coordinate.latitude
        lng = landmark.coordinate.longitude
        for attribute in Attribute.allCases { self[attribute] = landmark.attributes[attribute] }
        user = landmark.user
        account = landmark.account
        if let from = landmark.source {
            source = WireSourceKey(later: from.later)
            (source.name, source.key) = (from.name, from.key)
        }
        notes = landmark.notes.map(WireNote.init)
        version = landmark.version
        rev = landmark.rev
        created = landmark.created
        updated = landmark.updated
    }
}

extension WireNote {
    public init(_ note: Note) {
        self.init(later: note.later)
        id = note.id.wire
        text = note.text
        user = note.user
        at = note.at
        account = note.account
    }
}

extension Landmark {
    /// - Throws: what makes these bytes no landmark. Rules on lengths are not checked again: storage did.
    public init(_ wire: WireLandmark) throws(InvalidInput) {
        var notes: [Note] = []
        notes.reserveCapacity(wire.notes.count)
        for note in wire.notes { notes.append(try Note(note)) }
        self.init(
            id: try UUIDv7(wire: wire.id, "the landmark's id"),
            name: wire.name,
            coordinate: try Coordinate(wireLatitude: wire.lat, longitude: wire.lng),
            attributes: Attributes(wire), user: wire.user, account: wire.account,
            source: wire.hasSource
                ? SourceKey(name: wire.source.name, key: wire.source.key, later: wire.source.later) : nil,
            notes: notes, version: wire.version, rev: wire.rev, created: wire.created, updated: wire.updated,
            later: wire.later)
    }
}

extension Note {
    public init(_ wire: WireNote) throws(InvalidInput) {
        self.init(
            id: try UUIDv7(wire: wire.id, "the note's id"), text: wire.text, user: wire.user,
            account: wire.account, at: wire.at, later: wire.later)
    }
}

extension WireLandmarkDraft {
    public init(_ draft: LandmarkDraft) {
        self.init()
        name = draft.name
        lat = draft.coordinate.latitude
        lng = draft.coordinate.longitude
        (kind, link) = (draft.attributes.kind, draft.attributes.link)
        if let value = draft.attributes.rating { rating = value }
        if let others = draft.attributes.withoutDraftField { attributes = others }
    }
}

extension LandmarkDraft {
    /// - Throws: the first rule that a value breaks.
    public init(_ wire: WireLandmarkDraft) throws(InvalidInput) {
        try self.init(
            name: wire.name, coordinate: try Coordinate(wireLatitude: wire.lat, longitude: wire.lng),
            attributes: Attributes(wire))
    }
}

extension WirePoint {
    public init(_ coordinate: Coordinate) {
        self.init()
        lat = coordinate.latitude
        lng = coordinate.longitude
    }
}

extension LandmarkFilter {
    /// - Throws: the reason why the area is none; too many kinds.
    public init(_ wire: WireFilter) throws(InvalidInput) {
        guard wire.kinds.count <= Self.mostKinds else { throw .outOfRange("filter", "\(Self.mostKinds) kinds at most") }
        // No stored text has one, and a C function would read the text only up to it.
        for (field, texts) in [
            (InvalidInput.Field.kind, wire.kinds + [wire.kind]), (.user, [wire.user]), (.source, [wire.source]),
        ]
        where texts.contains(where: { $0.utf8.contains(0) }) { throw .nulCharacter(field) }
        self.init(
            kinds: wire.kinds + (wire.hasKind ? [wire.kind] : []), user: wire.hasUser ? wire.user : nil,
            source: wire.hasSource ? wire.source : nil)
        switch wire.area {
        case .circle(let circle)?: area = try Area(circle)
        case .box(let box)?: area = try Area(box)
        case .polygon(let polygon)?: area = try Area(polygon)
        case nil: break
        }
    }
}

extension WireFilter {
    public init(_ filter: LandmarkFilter) {
        self.init()
        // A service of an earlier release knows only the one.
        if filter.kinds.count == 1, let only = filter.kinds.first { kind = only } else { kinds = filter.kinds.sorted() }
        if let value = filter.user { user = value }
        if let value = filter.source { source = value }
        switch filter.area {
        case .circle(let centre, let radius)?: circle = WireCircle(centre, radius: radius)
        case .box(let value)?: box = WireBox(value)
        case .polygon(let value)?: polygon = WirePolygon(value)
        case nil: break
        }
    }
}
