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

/// Map tiles of a replica, compared with a model that examines every landmark.
@Suite("Map tiles of a replica", .computing)
struct TileTests {
    private struct World {
        var landmarks: [UInt64: WireLandmark] = [:]
        var replica: Replica
        var rev: UInt64 = 0
        var random = SplitMix64(seed: 6)

        init(_ count: UInt64) throws {
            var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 0))
            replica = Replica(snapshot)
            snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: count))
            for number in 1...count {
                rev += 1
                landmarks[number] = landmark(number)
            }
            let page = WireReply.with { $0.snapshot.landmarks = (1...count).compactMap { landmarks[$0] } }
            try snapshot.append(page: page.serializedBytes())
            replica = Replica(snapshot)
            replica.pace = Scan.Pace(step: 64, patience: 200, spare: 20)
        }

        mutating func landmark(_ number: UInt64) -> WireLandmark {
            .with {
                $0.id = UUIDv7(high: 7, low: number).wire
                $0.name = "Landmark \(number)"
                // Half of them in one city, some beyond the map.
                let isNear = random.next() % 2 == 0
                $0.lat = isNear ? 48 + random.unit() / 100 : 178 * random.unit() - 89
                $0.lng = isNear ? 2 + random.unit() / 100 : 360 * random.unit() - 180
                $0.kind = ["view", "pool", "", "rare"][random.next() % 50 == 0 ? 3 : Int(random.next() % 3)]
                $0.user = random.next() % 2 == 0 ? "ada" : ""
                if $0.user.isEmpty { $0.source = .with { ($0.name, $0.key) = ("world", "\(number)") } }
                $0.rev = rev
            }
        }

        /// Adds, changes or removes a landmark.
        mutating func change() throws {
            rev += 1
            let number = random.next() % 700 + 1
            var wire = WireChange.with { $0.rev = rev }
            if random.next() % 3 == 0, let known = landmarks.removeValue(forKey: number) {
                (wire.operation, wire.landmark) = (.removed, known)
            } else {
                wire.operation = landmarks[number] == nil ? .added : .changed
                let known = landmarks[number]
                var new = landmark(number)
                // Some stay where they are, and only their fields change.
                if let known, random.next() % 3 == 0 { (new.lat, new.lng) = (known.lat, known.lng) }
                landmarks[number] = new
                wire.landmark = new
            }
            try replica.apply(EncodedChange(wire))
        }

        /// The ids in each cell.
        func cells(_ tile: MapTile, _ filter: WireFilter) -> [Int: Set<UInt64>] {
            var cells: [Int: Set<UInt64>] = [:]
            for (number, landmark) in landmarks {
                guard !filter.hasKind || landmark.kind == filter.kind,
                    !filter.hasUser || landmark.user == filter.user,
                    !filter.hasSource || landmark.source.name == filter.source,
                    let coordinate = try? Coordinate(latitude: landmark.lat, longitude: landmark.lng),
                    (try? LandmarkFilter(filter))?.area?.contains(coordinate) ?? true,
                    let code = WebMercator.code(of: coordinate), tile.codes.contains(code)
                else { continue }
                cells[tile.cell(of: code), default: []].insert(number)
            }
            return cells
        }

        func ask(_ tile: MapTile, _ filter: WireFilter, ifNone: Data = Data()) throws -> TileAnswering {
            try replica.tile(
                .with {
                    ($0.z, $0.x, $0.y) = (tile.zoom, tile.column, tile.row)
                    ($0.filter, $0.ifNone) = (filter, ifNone)
                })
        }
    }

    private static let tiles = [
        (0, 0, 0), (1, 1, 0), (6, 32, 22), (11, 1035, 710), (14, 8283, 5683), (20, 530_111, 363_733),
    ].compactMap { MapTile(zoom: UInt32($0.0), column: UInt32($0.1), row: UInt32($0.2)) }

    private static let filters: [WireFilter] = [
        WireFilter(), .with { $0.kind = "view" }, .with { $0.user = "ada" }, .with { $0.kind = "rare" },
        .with { ($0.kind, $0.source) = ("", "world") }, .with { $0.kind = "never" },
        // A part of the city and much else.
        .with { $0.polygon.rings = [.with { $0.degrees = [-30, -20, 2.004, 48.002, 2.008, 48.009, 30, 80] }] },
        .with {
            ($0.kind, $0.box) = ("pool", .with { ($0.south, $0.west, $0.north, $0.east) = (-30, 100, 48.5, 2.005) })
        },
    ]

    private func reply(_ answer: SlowAnswer) throws -> WireTileReply {
        guard case .encoded(let bytes) = answer else { throw InvalidInput.missing("a tile") }
        return try WireReply(serializedBytes: bytes).tile
    }

    private func whole(_ answering: TileAnswering) throws -> WireTileReply {
        while true { if let answer = answering.proceed() { return try reply(answer) } }
    }

    private func compare(_ reply: WireTileReply, _ world: World, _ tile: MapTile, _ filter: WireFilter) throws {
        #expect(!reply.notModified)
        let contents = try #require(TileContents(encoded: [UInt8](reply.cells)))
        let expected = world.cells(tile, filter)
        let counts = Dictionary(uniqueKeysWithValues: contents.cells.map { ($0.number, $0.count) })
        #expect(counts == expected.mapValues(\.count), "\(tile) \(filter)")
        for cell in contents.cells where !cell.points.isEmpty {
            #expect(Set(cell.points.map(\.id.low)) == expected[cell.number])
            for point in cell.points {
                let landmark = try #require(world.landmarks[point.id.low])
                #expect(point.kind == landmark.kind && point.isFromSource == landmark.hasSource)
                #expect(abs(point.coordinate.latitude - landmark.lat) < 1e-7)
            }
        }
        // A scan may have lost a list to a change; otherwise what is single is listed.
        #expect(
            contents.cells.contains { $0.count == 1 && !$0.points.isEmpty }
                || !expected.values.contains { $0.count == 1 })
    }

    @Test("every tile and filter, also after changes of all kinds")
    func model() throws {
        var world = try World(600)
        for round in 0..<4 {
            for tile in Self.tiles {
                for filter in Self.filters {
                    try compare(try whole(try world.ask(tile, filter)), world, tile, filter)
                }
            }
            #expect(world.replica.tiles?.isFilled == true && world.replica.tiles?.scans.count == 0, "\(round)")
            for _ in 0..<400 { try world.change() }
        }
    }

    @Test("changes while the order is made, and while a filter is examined, are in the answer")
    func changing() throws {
        for filter in Self.filters {
            var world = try World(600)
            for tile in Self.tiles.prefix(3) {
                let answering = try world.ask(tile, filter)
                var answer = answering.proceed()
                while answer == nil {
                    for _ in 0..<30 { try world.change() }
                    answer = answering.proceed()
                }
                try compare(try reply(try #require(answer)), world, tile, filter)
            }
            #expect(world.replica.tiles?.scans.count == 0)
        }
    }

    @Test("before anybody asks there is no order, and a scan that is abandoned leaves nothing")
    func lazy() throws {
        let world = try World(600)
        #expect(world.replica.tiles == nil)
        let answering = try world.ask(Self.tiles[0], Self.filters[1])
        var steps = 0
        while world.replica.tiles?.scans.count != 1 {
            #expect(answering.proceed() == nil)
            steps += 1
        }
        // Each step entered a part of the landmarks.
        #expect(steps >= 600 / 16)
        answering.abandon()
        #expect(world.replica.tiles?.scans.count == 0)
    }

    @Test("a tag holds until something in the tile changes")
    func tags() throws {
        var world = try World(600)
        var tags: [MapTile: [UInt8]] = [:]
        var (same, other) = (0, 0)
        for round in 0..<300 {
            for tile in Self.tiles {
                let reply = try whole(try world.ask(tile, WireFilter(), ifNone: Data(tags[tile] ?? [])))
                #expect(reply.tag.count <= 32)
                if reply.notModified {
                    #expect([UInt8](reply.tag) == tags[tile] && reply.cells.isEmpty)
                    same += 1
                } else {
                    if round > 0 { other += 1 }
                    try compare(reply, world, tile, WireFilter())
                    tags[tile] = [UInt8](reply.tag)
                }
            }
            let before = Self.tiles.map {
                world.cells($0, WireFilter()).mapValues { Set($0.map { world.landmarks[$0] }) }
            }
            try world.change()
            for (tile, before) in zip(Self.tiles, before) {
                let after = world.cells(tile, WireFilter()).mapValues { Set($0.map { world.landmarks[$0] }) }
                let reply = try whole(try world.ask(tile, WireFilter(), ifNone: Data(tags[tile] ?? [])))
                // A change of a name alone is none.
                if before.mapValues(\.count) != after.mapValues(\.count) { #expect(!reply.notModified) }
            }
        }
        #expect(same > 300 && other > 300)
        // A new name changes no tile.
        let tile = Self.tiles[0]
        world.rev += 1
        var landmark = try #require(world.landmarks.values.first)
        (landmark.name, landmark.rev) = ("New", world.rev)
        let tag = try whole(try world.ask(tile, WireFilter())).tag
        try world.replica.apply(
            EncodedChange(.with { ($0.rev, $0.operation, $0.landmark) = (world.rev, .changed, landmark) }))
        #expect(try whole(try world.ask(tile, WireFilter(), ifNone: tag)).notModified)
        // A new kind does.
        landmark.kind += "s"
        (landmark.rev, world.rev) = (world.rev + 1, world.rev + 1)
        try world.replica.apply(
            EncodedChange(.with { ($0.rev, $0.operation, $0.landmark) = (world.rev, .changed, landmark) }))
        let here = try Coordinate(latitude: landmark.lat, longitude: landmark.lng)
        if WebMercator.code(of: here) != nil {
            #expect(try !whole(try world.ask(tile, WireFilter(), ifNone: tag)).notModified)
        }
        // Another run of storage may have another history.
        let now = try whole(try world.ask(tile, WireFilter())).tag
        world.replica.reached(world.rev, UUIDv7(high: 5, low: 5))
        #expect(try !whole(try world.ask(tile, WireFilter(), ifNone: now)).notModified)
    }

    @Test(
        "tiles that do not exist are refused",
        arguments: [(21, 0, 0), (3, 8, 0), (3, 0, 8), (0, 1, 0)] as [(UInt32, UInt32, UInt32)])
    func refused(z: UInt32, x: UInt32, y: UInt32) throws {
        let world = try World(1)
        let refusal = #expect(throws: ServiceError.self) {
            try world.replica.tile(.with { ($0.z, $0.x, $0.y) = (z, x, y) })
        }
        #expect(refusal?.code == .invalid)
    }
}
