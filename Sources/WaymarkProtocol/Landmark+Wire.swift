// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Geodesy
public import Landmarks
import SwiftProtobuf

extension Coordinate {
    /// - Throws: ``InvalidInput/coordinate(_:)`` if they are not a place on earth.
    public init(wireLatitude latitude: Double, longitude: Double) throws(InvalidInput) {
        do {
            try self.init(writtenLatitude: latitude, longitude: longitude)
        } catch {
            throw .coordinate(error.description)
        }
    }
}

extension UUIDv7 {
    /// - Throws: ``InvalidInput/missing(_:)`` if there are not 16 bytes.
    public init(wire bytes: Data, _ what: String) throws(InvalidInput) {
        guard let id = UUIDv7(bytes: bytes) else { throw .missing("the 16 bytes of \(what)") }
        self = id
    }

    public var wire: Data { Data(bytes) }
}

// Only the hand-written code knows how landmarks are encoded. It converts landmarks in generated messages by encoding
// and decoding them, which is good enough because such messages are rare.

extension WireLandmark {
    public init(_ landmark: Landmark) {
        // This cannot fail, because the generated code can read every landmark that is encoded here.
        self = (try? WireLandmark(serializedBytes: landmark.encoded)) ?? WireLandmark()
    }
}

extension Landmark {
    /// Converts the generated message. Does not check the lengths of texts, because storage has checked them.
    ///
    /// - Throws: the reason why the message is not a landmark.
    public init(_ wire: WireLandmark) throws(InvalidInput) { try self.init(encoded: wire.encoded) }
}

extension WireLandmarkDraft {
    public init(_ draft: LandmarkDraft) {
        self = (try? WireLandmarkDraft(serializedBytes: draft.encoded)) ?? WireLandmarkDraft()
    }
}

extension WireSourceRow {
    public init(_ key: String, _ draft: WireLandmarkDraft) {
        self.init()
        (self.key, self.draft) = (key, Data(draft.encoded))
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
    /// - Throws: the reason why the filter is not valid, for example because it has too many kinds.
    public init(_ wire: WireFilter) throws(InvalidInput) {
        guard wire.kinds.count <= Self.mostKinds else { throw .outOfRange("filter", "\(Self.mostKinds) kinds at most") }
        // Refuse zero bytes, because no stored text contains one, and a C function would read the text only up to it.
        for (field, texts) in [
            ("kind", wire.kinds + [wire.kind]), ("user", [wire.user]), ("source", [wire.source]),
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
        kinds = filter.kinds.sorted()
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
