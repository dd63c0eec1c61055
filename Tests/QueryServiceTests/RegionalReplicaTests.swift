// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService

/// What a replica of a region answers, compared with one that holds everything.
@Suite("A replica of a region", .computing)
struct RegionalReplicaTests {
    private struct World {
        var random: SplitMix64
        let whole: Replica
        let regional: Replica
        let region: Region

        init(_ area: Area, seed: UInt64, count: UInt64 = 4_000) throws {
            var random = SplitMix64(seed: seed)
            region = Region(area)
            let landmarks = (1...count).map { number in
                WireLandmark.with {
                    $0.id = UUIDv7(high: 7, low: number).wire
                    $0.name = "Landmark \(random.next() % 1_000)"
                    // Dense around the region, and some everywhere.
                    let isNear = random.next() % 10 > 0
                    $0.lat = isNear ? 44 + 8 * random.unit() : 178 * random.unit() - 89
                    $0.lng = isNear ? 4 + 12 * random.unit() : 360 * random.unit() - 180
                    $0.kind = ["view", "pool", "", "rare"][random.next() % 50 == 0 ? 3 : Int(random.next() % 3)]
                    ($0.user, $0.rev) = ("ada", number)
                    $0.rating = 5 * random.unit()
                }
            }
            func replica(_ landmarks: [WireLandmark]) throws -> Replica {
                var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: count))
                try snapshot.append(
                    page: WireReply.with { $0.snapshot.landmarks = landmarks }.serializedBytes())
                let replica = Replica(snapshot)
                replica.pace = Scan.Pace(step: 64, patience: 200, spare: 20)
                return replica
            }
            whole = try replica(landmarks)
            regional = try replica(
                landmarks.filter { area.contains(try Coordinate(latitude: $0.lat, longitude: $0.lng)) })
            regional.region = region
            self.random = random
        }

        /// Nil if it refuses.
        static func bytes(_ body: () throws -> [UInt8]) throws -> [UInt8]? {
            do { return try body() } catch let error as ServiceError where error.code == .outsideRegion { return nil }
        }

        /// Compares the two answers. Their distances are computed in another way where another number of landmarks is
        /// looked at, and may differ by what the way's precision allows; everything else is equal.
        ///
        /// - Returns: whether it was answered.
        func compare(_ ask: (Replica) throws -> [UInt8]) throws -> Bool {
            guard let answer = try Self.bytes({ try ask(regional) }) else { return false }
            let expected = try ask(whole)
            guard answer != expected else { return true }
            let (ours, theirs) = (try WireReply(serializedBytes: answer), try WireReply(serializedBytes: expected))
            #expect(ours.hits.hits.map(\.landmark) == theirs.hits.hits.map(\.landmark))
            #expect(ours.hits.cursor.isEmpty == theirs.hits.cursor.isEmpty)
            for (our, their) in zip(ours.hits.hits, theirs.hits.hits) {
                #expect(abs(our.distanceM - their.distanceM) < 1e-6)
            }
            #expect(ours.tile == theirs.tile && ours.separation == theirs.separation)
            return true
        }
    }

    static let shapes: [Area] = {
        let corners = [(5.0, 45.0), (14, 44.5), (15, 51), (9, 48), (6, 51.5)]
        let areas: [Area?] = [
            try? .box(AreaBox(south: 45, west: 6, north: 51, east: 14)),
            try? .circle(at: Coordinate(latitude: 48, longitude: 10), radius: 350_000),
            try? .polygon(AreaPolygon(rings: [corners.map { .init(longitude: $0.0, latitude: $0.1) }])),
        ]
        return areas.compactMap { $0 }
    }()

    @Test("the nearest: equal to those of the whole, or refused; never refused well inside", arguments: shapes)
    func near(area: Area) throws {
        var world = try World(area, seed: 31)
        var (answered, refused) = (0, 0)
        for _ in 0..<4_000 {
            let wire = WireNear.with {
                ($0.lat, $0.lng) = (43 + 10 * world.random.unit(), 3 + 14 * world.random.unit())
                $0.limit = UInt32(1 + world.random.next() % 30)
                if world.random.next() % 3 == 0 { $0.radiusM = 200_000 * world.random.unit() }
                if world.random.next() % 5 == 0 { $0.minDistanceM = 30_000 * world.random.unit() }
                if world.random.next() % 3 == 0 {
                    $0.filter.kind = ["view", "rare", "unknown"][Int(world.random.next() % 3)]
                }
                if world.random.next() % 6 == 0 {
                    ($0.rank, $0.radiusM) = (.byProminence, 40_000 * world.random.unit())
                }
            }
            let isAnswered = try world.compare { try $0.near(wire).whole().encoded }
            if isAnswered { answered += 1 } else { refused += 1 }
            // Whatever the whole one finds is nearer than a half of what is certain.
            let margin = world.region.margin(at: try Coordinate(latitude: wire.lat, longitude: wire.lng))
            let found = try WireReply(serializedBytes: try world.whole.near(wire).whole().encoded).hits
            let last = found.hits.last?.distanceM ?? .infinity
            if wire.rank == .byDistance, !found.cursor.isEmpty, last < margin { #expect(isAnswered, "\(wire)") }
            if wire.hasRadiusM, wire.radiusM < margin { #expect(isAnswered, "\(wire)") }
            // The path without message objects.
            if !wire.hasFilter, wire.rank == .byDistance {
                let fields = NearFields(
                    lat: wire.lat, lng: wire.lng, limit: wire.limit, radius: wire.hasRadiusM ? wire.radiusM : nil,
                    minDistance: wire.hasMinDistanceM ? wire.minDistanceM : nil)
                #expect(try world.compare { try $0.near(fields).encoded } == isAnswered)
            }
        }
        print("near in a region: \(answered) answered, \(refused) refused")
        #expect(answered > 500 && refused > 500)
    }

    @Test("pages: each is equal, or the one that is not certain is refused", arguments: shapes)
    func pages(area: Area) throws {
        let world = try World(area, seed: 32)
        var wire = WireNear.with { ($0.lat, $0.lng, $0.limit) = (46.5, 9.5, 7) }
        var pages = 0
        while try world.compare({ try $0.near(wire).whole().encoded }) {
            wire.after = try WireReply(serializedBytes: try world.whole.near(wire).whole().encoded).hits.cursor
            pages += 1
        }
        #expect(pages > 5)
    }

    @Test("lists and tiles: of an area within the region as of the whole; of any other refused", arguments: shapes)
    func areas(area: Area) throws {
        var world = try World(area, seed: 33)
        var (answered, refused) = (0, 0)
        for round in 0..<600 {
            let size = [0.2, 1, 4][round % 3]
            let box = WireBox.with {
                ($0.south, $0.west) = (44 + 8 * world.random.unit(), 4 + 12 * world.random.unit())
                ($0.north, $0.east) = ($0.south + size, $0.west + size)
            }
            let list = WireList.with {
                $0.order = [.byName, .byRecent, .byDistance][round % 3]
                ($0.lat, $0.lng) = (48, 10)
                $0.limit = 20
                if round % 4 > 0 { $0.filter.box = box }
            }
            let isListed = try world.compare { try $0.list(list).whole().encoded }
            let asked = try Area.box(AreaBox(south: box.south, west: box.west, north: box.north, east: box.east))
            if list.order != .byDistance { #expect(isListed == (round % 4 > 0 && world.region.holds(asked))) }
            let zoom = UInt32(6 + round % 8)
            let code = try #require(
                WebMercator.code(of: try Coordinate(latitude: box.south, longitude: box.west)))
            let place = MapTile(zoom: zoom, containing: code)
            let tile = WireTile.with { ($0.z, $0.x, $0.y) = (place.zoom, place.column, place.row) }
            let isShown = try world.compare { replica in
                let answering = try replica.tile(tile)
                while true {
                    guard case .encoded(let body)? = answering.proceed() else { continue }
                    // The tag is the latest revision near the tile, so it may differ; so may the order within a cell.
                    let cells = try WireReply(serializedBytes: body).tile.cells
                    return try WireReply.with { $0.tile.cells = Data(cells.sorted()) }.serializedBytes()
                }
            }
            answered += (isListed ? 1 : 0) + (isShown ? 1 : 0)
            refused += (isListed ? 0 : 1) + (isShown ? 0 : 1)
        }
        print("lists and tiles in a region: \(answered) answered, \(refused) refused")
        #expect(answered > 200 && refused > 200)
    }

    @Test("a landmark that leaves is forgotten, one that enters is there; an earlier change changes nothing")
    func leaves() throws {
        let world = try World(Self.shapes[0], seed: 34)
        let count = world.regional.count
        func change(_ operation: WireChange.Operation, _ rev: UInt64, _ longitude: Double) throws -> EncodedChange {
            try EncodedChange(
                .with {
                    ($0.rev, $0.at, $0.operation) = (rev, 1, operation)
                    $0.landmark = .with {
                        $0.id = UUIDv7(high: 9, low: 1).wire
                        ($0.name, $0.rev, $0.lat, $0.lng) = ("Wanderer", rev, 48, longitude)
                    }
                })
        }
        let id = UUIDv7(high: 9, low: 1)
        try world.regional.apply(change(.changed, 5_000, 10))
        #expect(world.regional.count == count + 1 && world.regional[id] != nil)
        try world.regional.apply(change(.changed, 4_999, 100), isLeaving: true)
        #expect(world.regional[id] != nil)
        try world.regional.apply(change(.changed, 5_001, 100), isLeaving: true)
        #expect(world.regional.count == count && world.regional[id] == nil)
        #expect(world.regional.position.rev == 5_001)
        try world.regional.apply(change(.changed, 5_002, 11))
        #expect(world.regional.coordinate(of: id)?.longitude == 11)
    }

    @Test("distances: of landmarks that it holds; another may be elsewhere")
    func distances() throws {
        let world = try World(Self.shapes[0], seed: 35)
        for number in 1...200 as ClosedRange<UInt64> {
            let id = UUIDv7(high: 7, low: number)
            let question = WireDistance.with {
                $0.from.landmark = id.wire
                $0.to.point = .with { ($0.lat, $0.lng) = (48, 100) }
            }
            #expect(try world.compare { try $0.distance(question) } == (world.regional[id] != nil))
        }
    }

    @Test("counts of kinds: of a replica of everything only")
    func counts() throws {
        let world = try World(Self.shapes[0], seed: 36)
        let question = WireRequest.OneOf_Command.countKinds(.with { $0.kinds = ["no such kind"] })
        _ = try world.whole.answer(question)
        #expect(
            try World.bytes {
                _ = try world.regional.answer(question); return []
            } == nil)
    }
}
