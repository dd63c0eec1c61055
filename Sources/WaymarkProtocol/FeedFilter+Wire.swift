// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Landmarks
import SwiftProtobuf

extension FeedFilter {
    /// The maximum number of values in all lists of a filter together.
    public static let mostValues = 1_000

    /// - Throws: the reason why the filter is not valid: an unknown operation, a text that breaks a rule, or too many
    ///   values.
    public init(_ wire: WireFeedFilter) throws(InvalidInput) {
        let values = wire.kinds.count + wire.users.count + wire.sources.count + wire.ids.count
        guard values <= Self.mostValues else { throw .outOfRange("filter", "1,000 values at most") }
        // A condition that only a later version knows must not be ignored, because the filter would match too much.
        guard wire.unknownFields.data.isEmpty else { throw .missing("a filter that is known here") }
        self.init()
        switch wire.area {
        case .circle(let circle)?: area = try Area(circle)
        case .box(let box)?: area = try Area(box)
        case .polygon(let polygon)?: area = try Area(polygon)
        case nil: break
        }
        for kind in wire.kinds { kinds.insert(try LandmarkRules.kind(kind)) }
        for user in wire.users { users.insert(user.isEmpty ? "" : try LandmarkRules.user(user)) }
        for source in wire.sources { sources.insert(source.isEmpty ? "" : try LandmarkRules.source(source)) }
        for id in wire.ids { ids.insert(try UUIDv7(wire: id, "an id")) }
        for operation in wire.operations {
            guard let operation = FeedOperation(operation) else { throw .missing("operations that are known here") }
            operations.insert(operation)
        }
    }

    /// Reads an encoded filter.
    package init(encoded: some Sequence<UInt8>) throws(InvalidInput) {
        guard let wire = try? WireFeedFilter(serializedBytes: [UInt8](encoded)) else {
            throw .missing("a readable filter")
        }
        try self.init(wire)
    }

    /// The filter as it is kept within another message.
    public var kept: Data { Data(wire.encoded) }

    /// The filter in its canonical encoding, in which each list is sorted by the bytes of its values.
    public var wire: WireFeedFilter {
        .with {
            switch area {
            case .circle(let centre, let radius)?: $0.circle = WireCircle(centre, radius: radius)
            case .box(let box)?: $0.box = WireBox(box)
            case .polygon(let polygon)?: $0.polygon = WirePolygon(polygon)
            case nil: break
            }
            $0.kinds = kinds.inOrderOfBytes
            $0.users = users.inOrderOfBytes
            $0.sources = sources.inOrderOfBytes
            $0.ids = ids.sorted().map(\.wire)
            $0.operations = operations.map(WireChange.Operation.init).sorted { $0.rawValue < $1.rawValue }
        }
    }
}

extension Set<String> {
    fileprivate var inOrderOfBytes: [String] { map(\.normal).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

extension FeedOperation {
    /// Nil for an operation that this version does not know.
    public init?(_ wire: WireChange.Operation) {
        guard let operation = Self.allCases.first(where: { WireChange.Operation($0) == wire }) else { return nil }
        self = operation
    }
}

extension WireChange.Operation {
    public init(_ operation: FeedOperation) {
        self =
            switch operation {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            case .noted: .noted
            case .entered: .entered
            case .left: .left
            }
    }
}
