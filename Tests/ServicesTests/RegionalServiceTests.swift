// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Logging
import QueryService
import Settings
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("A query service of a region", .inTurn)
struct RegionalServiceTests {
    private static func draft(_ name: String, _ longitude: Double) throws -> LandmarkDraft {
        try LandmarkDraft(name: name, coordinate: try Coordinate(latitude: 0, longitude: longitude))
    }

    private static func place(_ longitude: Double) throws -> Coordinate {
        try Coordinate(latitude: 0, longitude: longitude)
    }

    /// Runs `body` with a pair, a client of it, and a client of a query service that holds 100 km around (0, 0).
    private func withRegion(
        fallbacks: (Pair) -> [String] = { _ in [] }, prepare: (WaymarkClient) async throws -> Void = { _ in },
        _ body: (Pair, WaymarkClient, WaymarkClient, QueryServer) async throws -> Void
    ) async throws {
        try await withPair(.ipc) { pair, client in
            try await prepare(client)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            var options = QueryOptions(listen: "ipc://\(pair.directory.path)/r", storage: pair.storageEndpoint)
            options.region = Region(try .circle(at: try Self.place(0), radius: 100_000))
            options.fallbacks = fallbacks(pair)
            let query = try QueryServer(options, context: pair.context, logger: logger)
            var ofClient = ClientOptions(user: "ada", timeout: .seconds(60))
            ofClient.endpoints = [try await query.start()]
            let regional = try await WaymarkClient(ofClient, context: pair.context)
            var failure: (any Error)?
            do {
                #expect(await query.waitUntilReady(timeout: .seconds(60)))
                try await body(pair, client, regional, query)
            } catch { failure = error }
            await regional.close()
            await query.stop()
            if let failure { throw failure }
        }
    }

    /// What a service answers that has to ask another one. On a busy machine it may have lost that one for a moment.
    private static func found<Value>(_ ask: () async throws -> Value) async throws -> Value {
        var value: Value?
        try await until {
            do { value = try await ask() } catch ClientError.refused(let error) where error.code == .outsideRegion {}
            return value != nil
        }
        return try #require(value)
    }

    private func count(_ client: WaymarkClient) async throws -> UInt64? { try await client.status().query?.landmarks }

    @Test("it loads and follows what is within, landmarks that move in and out too")
    func follows() async throws {
        try await withRegion(prepare: { client in
            for number in 0..<20 { _ = try await client.add(Self.draft("\(number)", Double(number) / 10)) }
        }) { pair, client, regional, query in
            // 0.0 to 0.8 degrees: 100 km are 0.898 of them.
            #expect(try await count(regional) == 9)
            let moved = try await regional.add(Self.draft("moved", 5))
            // The answer reflects the write, although nothing of it was on the feed.
            #expect(try await regional.near(Self.place(0), limit: 3).hits.map(\.landmark.name) == ["0", "1", "2"])
            #expect(try await count(regional) == 9)
            _ = try await regional.edit(moved.id, LandmarkEdit(coordinate: try Self.place(0.01)))
            #expect(try await regional.near(Self.place(0), limit: 2).hits.map(\.landmark.name) == ["0", "moved"])
            _ = try await regional.edit(moved.id, LandmarkEdit(coordinate: try Self.place(6)))
            #expect(try await regional.near(Self.place(0), limit: 2).hits.map(\.landmark.name) == ["0", "1"])
            #expect(try await count(regional) == 9)
            #expect(await query.health().remarks.contains { $0.contains("holds only the landmarks within 100000 m") })
            try await until { await query.health().problems == [] }
        }
    }

    @Test("a read after a write outside of the region waits for the log, not for a beacon")
    func ownWrites() async throws {
        try await withRegion { pair, client, regional, query in
            _ = try await regional.add(Self.draft("here", 0))
            _ = try await regional.add(Self.draft("here too", 0.1))
            let clock = ContinuousClock()
            var slowest = Duration.zero
            for number in 0..<10 {
                let written = try await regional.add(Self.draft("far \(number)", 50))
                slowest = max(
                    slowest,
                    try await clock.measure {
                        let page = try await regional.near(Self.place(0), limit: 1)
                        #expect(page.freshness.position.rev >= written.rev)
                    })
            }
            print("a read after a write outside of the region: at most \(slowest)")
        }
    }

    @Test("what it cannot answer for certain is refused by name, or asked of storage")
    func refuses() async throws {
        try await withRegion(prepare: { client in
            for number in 0..<20 { _ = try await client.add(Self.draft("number \(number)", Double(number) / 10)) }
        }) { pair, client, regional, query in
            let far = try #require(try await client.near(Self.place(1.9), limit: 1).hits.first?.landmark)
            let refused: [(String, () async throws -> Void)] = [
                ("near without enough", { _ = try await regional.near(Self.place(0), limit: 9) }),
                ("near outside", { _ = try await regional.near(Self.place(2), limit: 1) }),
                ("near the edge", { _ = try await regional.near(Self.place(0.89), limit: 1) }),
                ("a radius beyond", { _ = try await regional.near(Self.place(0.5), limit: 50, radius: 90_000) }),
                ("a list of all", { _ = try await regional.list(.byName) }),
                (
                    "a search by distance",
                    { _ = try await regional.search("number", near: try Self.place(0), limit: 3) }
                ),
            ]
            for (what, ask) in refused {
                #expect(try await WriteTests.refusal(ask) == .outsideRegion, "\(what)")
            }
            let within = try await regional.near(Self.place(0), limit: 50, radius: 45_000)
            #expect(within.hits.map(\.landmark.name) == (0..<5).map { "number \($0)" })
            let filter = LandmarkFilter(area: try .circle(at: try Self.place(0.2), radius: 30_000))
            #expect(try await regional.list(.byName, limit: 50, filter: filter).hits.count == 5)
            #expect(try await regional.show(far.id).landmark.name == "number 19")
            // Storage's index of texts reaches what this client has written.
            let expected = try await client.search("number", limit: 50).hits.map(\.landmark)
            let found = try await regional.search("number", limit: 50).hits.map(\.landmark)
            #expect(found == expected && found.count == 20)
            // Writes outside go to storage, unchanged.
            #expect(try await regional.edit(far.id, LandmarkEdit(name: "far")).version == 2)
        }
    }

    @Test("what it cannot answer is asked of another query service, if there is one: near, pages, lists, tiles, search")
    func fallback() async throws {
        try await withRegion(fallbacks: { ["ipc://\($0.directory.path)/nobody", $0.endpoint] }) { client in
            for number in 0..<40 {
                _ = try await client.add(
                    LandmarkDraft(
                        name: "number \(number)", coordinate: Self.place(Double(number) / 10),
                        kind: number % 2 == 0 ? "even" : ""))
            }
        } _: { pair, client, regional, query in
            let even = LandmarkFilter(kinds: ["even"])
            let (whole, own) = (client, regional)
            // The service has to find the one that it may ask.
            try await until { try await WriteTests.refusal { _ = try await own.list(.byName) } == nil }
            for (limit, longitude) in [(3, 0), (9, 0), (1, 2), (40, 0.3)] {
                let place = try Self.place(longitude)
                for filter in [LandmarkFilter(), even] {
                    let near = try await Self.found { try await own.near(place, limit: limit, filter: filter).hits }
                    #expect(try await whole.near(place, limit: limit, filter: filter).hits == near)
                }
            }
            let listed = try await Self.found { try await own.list(.byName, limit: 50).hits }
            #expect(try await whole.list(.byName, limit: 50).hits == listed)
            // This client has written them, so that the text search has them all when it is answered.
            let expected = try await whole.search("number", near: Self.place(0), limit: 30).hits
            let searched = try await Self.found {
                try await own.search("number", near: Self.place(0), limit: 30).hits
            }
            #expect(expected.count == 30 && searched == expected)
            let tile = try #require(MapTile(zoom: 0, column: 0, row: 0))
            let shown = try await Self.found {
                try await own.send(.with { ($0.tile.z, $0.tile.x, $0.tile.y) = (tile.zoom, 0, 0) }).1
            }
            #expect(!shown.tile.cells.isEmpty)
            try await until { await !query.health().remarks.contains { $0.contains("The fallback at") } }
            await pair.query.stop()
            try await until { await query.health().remarks.contains { $0.contains("The fallback at") } }
            #expect(try await WriteTests.refusal { _ = try await own.list(.byName) } == .outsideRegion)
        }
    }

    @Test("two services of regions that ask each other refuse what neither holds")
    func eachOther() async throws {
        try await withPair(.ipc) { pair, client in
            _ = try await client.add(Self.draft("here", 0))
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let endpoints = ["ipc://\(pair.directory.path)/r1", "ipc://\(pair.directory.path)/r2"]
            let services = try endpoints.indices.map { place in
                var options = QueryOptions(listen: endpoints[place], storage: pair.storageEndpoint)
                options.region = Region(try .circle(at: try Self.place(Double(place) * 10), radius: 100_000))
                options.fallbacks = [endpoints[1 - place]]
                return try QueryServer(options, context: pair.context, logger: logger)
            }
            let asking = try await WaymarkClient(
                ClientOptions(endpoint: endpoints[0], timeout: .seconds(60)), context: pair.context)
            var failure: (any Error)?
            do { try await Self.ask(asking, of: services) } catch { failure = error }
            await asking.close()
            for service in services { await service.stop() }
            if let failure { throw failure }
        }
    }

    private static func ask(_ asking: WaymarkClient, of services: [QueryServer]) async throws {
        for service in services { _ = try await service.start() }
        for service in services { #expect(await service.waitUntilReady(timeout: .seconds(60))) }
        // The first one was started while the second one was not there yet.
        for service in services {
            try await until { await !service.health().remarks.contains { $0.contains("The fallback at") } }
        }
        for _ in 0..<20 {
            #expect(try await WriteTests.refusal { _ = try await asking.list(.byName) } == .outsideRegion)
            #expect(
                try await WriteTests.refusal { _ = try await asking.near(Self.place(50), limit: 1) } == .outsideRegion)
        }
        // What the other one holds.
        let near = try await asking.near(Self.place(10), limit: 5, radius: 1_000)
        #expect(near.hits.isEmpty)
        let asked = HostileTests.counter("requests_received", try await asking.status().query?.counters)
        #expect(asked < 400)
    }

    @Test(
        "the setting: a box, a circle or a polygon's file; what is none is said",
        arguments: [
            ("-34,150,-33,152", true), ("-33.86,151.21,50km", true), ("-33.86, 151.21, 500m", true), ("1,2,3", false),
            ("-33,150,-34,152", false), ("-33.86,151.21,-5km", false), ("nowhere", false),
            ("/nonexistent.geojson", false),
            ("91,0,5km", false), ("0,0,nankm", false), ("0x10,1,5km", false), ("1,181,5km", false),
            ("1,1,0x5km", false),
        ])
    func setting(text: String, isRegion: Bool) throws {
        let settings = try Settings.load(
            schema: .query, file: nil, environment: [:], arguments: ["--replica-within", text])
        if isRegion {
            #expect(try QueryOptions(settings).region != nil)
        } else {
            let error = #expect(throws: Unusable.self) { try QueryOptions(settings) }
            #expect(error?.description.hasPrefix("--replica-within: ") == true, "\(error?.description ?? "")")
        }
    }
}
