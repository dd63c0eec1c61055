// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import Landmarks
import LoadTest
import WaymarkClient
import WaymarkLoad

/// The clients that people have, instead of the generator.
struct PeopleRow: TableRow {
    private static let window = 64

    /// The rounds of one kind of client.
    private struct Kind {
        private(set) var rates: [Double] = []
        /// Microseconds of processor time for one operation, of this process and of the services.
        private(set) var times: [Double] = []
        private(set) var services: [Double] = []
        private var p99: [Double] = []
        private var cores: [(generator: Double, services: Double)] = []

        mutating func add(_ figures: LoadFigures) {
            rates.append(figures.throughput)
            p99.append(figures.latency.p99)
            let (seconds, each) = (max(figures.seconds, 1e-9), 1e6 / Double(max(1, figures.done)))
            times.append(figures.generatorCPU * each)
            services.append((figures.servicesCPU ?? 0) * each)
            cores.append((figures.generatorCPU / seconds, (figures.servicesCPU ?? 0) / seconds))
        }

        var remarks: [String?] {
            guard let p99 = Spread(p99), let generator = Spread(cores.map(\.generator)),
                let services = Spread(cores.map(\.services))
            else { return [] }
            return [
                "p99 \(FigureUnit.microseconds.text(p99.median)).", Generator.remark(generator.median, services.median),
            ]
        }
    }

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let stage = try await run.everybody().stage
        let port = try Ports.free()
        stage.stopQuery()
        try stage.startQuery(web: port)
        try await stage.settle()
        let floor = try await HTTPFloor(run.children, program: Stage.product("waymark-measure"))
        defer { floor.end() }
        var bus = Near(stage, seed: run.seed)
        var (fresh, after, writes, generator) = (Kind(), Kind(), Kind(), Kind())
        var (asked, memory, posted) = (Kind(), Kind(), Kind())
        for round in run.rounds {
            run.tell("the clients that people have, round \(round)")
            let client = try await stage.client()
            do {
                fresh.add(try await measure(run, stage, ClientLoad(client: client, operation: Self.near).run))
                generator.add(try await bus.ask(run, run.closed(window: Self.window)))
                try await Self.add(client, UInt64(round))
                after.add(try await measure(run, stage, ClientLoad(client: client, operation: Self.near).run))
                writes.add(try await measure(run, stage, ClientLoad(client: client, operation: Self.add).run))
            } catch {
                await client.close()
                throw error
            }
            await client.close()
            let answers = try await measure(run, stage, Self.asking(port).run)
            asked.add(answers)
            let bytes = Int(answers.bytes / max(1, answers.done))
            memory.add(
                try await floor.figures(run, run.closed(window: Self.window), bytes: bytes) { Self.query($0) })
            posted.add(try await measure(run, stage, Self.posting(port).run))
        }
        stage.stopQuery()
        try stage.startQuery()
        try await stage.settle()
        let commands = try await CommandLines.lines(run, stage, at: Self.place(1))
        let near = "near --limit 20 among \(FigureUnit.grouped(run.scale.landmarks))"
        let tasks = "WaymarkClient, \(Self.window) tasks"
        let connections = "\(Self.window) connections"
        let plain = "the generator, window \(Self.window)"
        return [
            TableLine(
                .people, "\(near), \(tasks), before it has written", .perSecond,
                Rounds(fresh.rates, beside: generator.rates), beside: plain, goal: .measured(.atLeast, 62_400)
            ).remarking(fresh.remarks),
            TableLine(
                .people, "CPU time of the client for it", .microseconds,
                Rounds(fresh.times, beside: generator.times), beside: plain, goal: .measured(.atMost, 17)),
            TableLine(
                .people, "\(near), \(tasks), after it has written", .perSecond,
                Rounds(after.rates, beside: fresh.rates), beside: "before it has written"
            ).remarking(after.remarks),
            TableLine(.people, "durable writes, \(tasks)", .perSecond, Spread(writes.rates)).remarking(writes.remarks),
            TableLine(
                .people, "GET /v1/near, \(connections)", .perSecond, Rounds(asked.rates, beside: memory.rates),
                beside: "the listener, from memory", goal: .ratio(.atLeast, 0.6)
            ).remarking(asked.remarks),
            TableLine(
                .people, "CPU time of the service for it", .microseconds,
                Rounds(asked.services, beside: memory.services), beside: "the listener, from memory"),
            TableLine(.people, "POST /v1/landmarks, \(connections)", .perSecond, Spread(posted.rates))
                .remarking(posted.remarks),
        ] + commands
    }

    private func measure(
        _ run: TableRun, _ stage: Stage, _ test: (LoadShape, LoadWatch) async throws -> LoadResult
    ) async throws -> LoadFigures {
        try await run.measure(run.closed(window: Self.window), of: stage.processes, test).figures
    }

    private static let places = World.questions(4_096, seed: 9)

    private static func place(_ number: UInt64) -> Coordinate { places[Int(number % UInt64(places.count))] }

    private static let near: @Sendable (WaymarkClient, UInt64) async throws -> Void = { client, number in
        // A program reads what it asked for.
        for hit in try await client.near(place(number), limit: 20).hits where hit.landmark.name.isEmpty {
            throw TableError.unreadable("the query service")
        }
    }

    private static let add: @Sendable (WaymarkClient, UInt64) async throws -> Void = { client, number in
        _ = try await client.add(try LandmarkDraft(name: "People \(number)", coordinate: place(number)))
    }

    private static func query(_ number: UInt64) -> String {
        let place = place(number)
        return "lat=\(place.latitude)&lng=\(place.longitude)&limit=20"
    }

    private static func asking(_ port: UInt16) -> HTTPTest {
        let origin = HTTPOrigin.here(port)
        return HTTPTest(origin, timeout: HTTPOrigin.patience) { $1 += origin.request("/v1/near?\(query($0))") }
    }

    private static func posting(_ port: UInt16) -> HTTPTest {
        let origin = HTTPOrigin.here(port)
        return HTTPTest(origin, status: 201, timeout: HTTPOrigin.patience) { number, request in
            let place = place(number)
            request += origin.request(
                "/v1/landmarks", method: "POST",
                fields: "Content-Type: application/json\r\nWaymark-User: measure\r\n",
                body: #"{"name":"People \#(number)","lat":\#(place.latitude),"lng":\#(place.longitude)}"#)
        }
    }
}
