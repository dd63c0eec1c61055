// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// The pages of a snapshot as they come in, and the index's base made of them. Built away from the service's loop.
struct ReplicaSnapshot: Sendable {
    struct Item: Sendable {
        let wire: WireLandmark
        let bytes: [UInt8]
    }

    /// Where the replica begins: everything after it comes from the feed.
    let position: Position
    private(set) var landmarks: [Item] = []
    private var coordinates: [Coordinate] = []
    private var keys: [PointKey] = []
    private(set) var tree = SpatialTree(coordinates: [], keys: [])

    init(at position: Position) {
        self.position = position
    }

    /// - Throws: when a landmark cannot be read.
    mutating func append(_ page: WireReadySnapshotPage) throws(InvalidInput) {
        for data in page.landmarks {
            let bytes = [UInt8](data)
            guard let wire = try? WireLandmark(serializedBytes: bytes) else { throw .missing("a readable landmark") }
            keys.append(PointKey(try UUIDv7(wire: wire.id, "the landmark's id")))
            coordinates.append(try Coordinate(wireLatitude: wire.lat, longitude: wire.lng))
            landmarks.append(Item(wire: wire, bytes: bytes))
        }
    }

    mutating func finish() {
        tree = SpatialTree(coordinates: coordinates, keys: keys)
        (coordinates, keys) = ([], [])
    }
}
