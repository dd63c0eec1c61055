// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// The pages of a snapshot as they arrive, and the index's base built from them. Built away from the service's loop.
struct ReplicaSnapshot: Sendable {
    /// The position where the replica begins: everything after it comes from the feed.
    let position: Position
    /// The answers of storage with the encoded landmarks, page by page.
    private var pages: [[UInt8]] = []
    /// For each landmark, its page and its place in the page.
    private var places: [(page: UInt32, offset: UInt32, count: UInt32)] = []
    private var coordinates: [Coordinate] = []
    private var keys: [PointKey] = []
    private(set) var tree = SpatialTree(coordinates: [], keys: [])
    /// How many landmarks storage had when it sent the last page.
    private(set) var total: UInt64 = 0

    init(at position: Position) {
        self.position = position
    }

    /// Adds an encoded `Reply` that holds a page of a snapshot.
    ///
    /// - Returns: the cursor of the next page; empty after the last one.
    /// - Throws: an error if the bytes hold no page, or a landmark without a valid place. The other fields are read
    ///   later.
    mutating func append(page reply: [UInt8]) throws(InvalidInput) -> [UInt8] {
        let number = UInt32(pages.count)
        // The whole answer is kept, because all but a few bytes of it are landmarks.
        pages.append(reply)
        return try reply.withUnsafeBufferPointer { (bytes) throws(InvalidInput) in
            try append(number, UnsafeRawBufferPointer(bytes))
        }
    }

    private mutating func append(
        _ number: UInt32, _ bytes: UnsafeRawBufferPointer
    ) throws(InvalidInput) -> [UInt8] {
        var next: [UInt8]?
        var results = WireFields(bytes)
        while let (field, value) = results.next() {
            guard field == ReplyField.snapshot.rawValue, case .bytes(let page) = value else { continue }
            next = next ?? []
            var fields = WireFields(page)
            while let (field, value) = fields.next() {
                switch (SnapshotPageField(rawValue: field), value) {
                case (.landmarks, .bytes(let landmark)):
                    guard let view = LandmarkView(landmark) else { throw .missing("a readable landmark") }
                    keys.append(PointKey(try view.knownID()))
                    coordinates.append(try view.coordinate())
                    // An empty landmark has no id, which fails above, so there is an address.
                    let offset = landmark.baseAddress! - bytes.baseAddress!
                    places.append((number, UInt32(offset), UInt32(landmark.count)))
                case (.next, .bytes(let bytes)): next = [UInt8](bytes)
                case (.total, .number(let number)): total = number
                default: break
                }
            }
            guard fields.isWhole else { throw .missing("a readable page") }
        }
        guard results.isWhole, let next else { throw .missing("a page of a snapshot") }
        return next
    }

    mutating func finish() {
        tree = SpatialTree(coordinates: coordinates, keys: keys)
        (coordinates, keys) = ([], [])
    }

    var count: Int { places.count }

    /// Calls `body` with each encoded landmark and its number in the order of arrival, which is its payload in the
    /// tree. The calls follow the order of the tree, so that landmarks near each other come one after the other.
    func forEach(
        _ body: (_ place: UInt32, UnsafeRawBufferPointer) throws(InvalidInput) -> Void
    ) throws(InvalidInput) {
        for payload in tree.payloads {
            let (page, offset, count) = places[Int(payload)]
            try pages[Int(page)].withUnsafeBufferPointer { (bytes) throws(InvalidInput) in
                let landmark = UnsafeRawBufferPointer(bytes)[Int(offset)..<Int(offset + count)]
                try body(payload, UnsafeRawBufferPointer(rebasing: landmark))
            }
        }
    }
}
