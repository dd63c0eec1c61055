// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import Landmarks
import LoadTest
import WaymarkClient

/// The clients that people have, instead of the generator.
struct PeopleRow: TableRow {
    private static let window = 64

    /// The rounds of one kind of client.
    private struct Kind {
        private(set) var rates: [Double] = []
        private var p99: [Double] = []
        private var cores: [(generator: Double, services: Double)] = []

        mutating func add(_ figures: LoadFigures) {
            rates.append(figures.throughput)
            p99.append(figures.latency.p99)
            let seconds = max(figures.seconds, 1e-9)
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
        var (fresh, after, writes) = (Kind(), Kind(), Kind())
        var (asked, posted) = (Kind(), Kind())
        for round in run.rounds {
            run.tell("the clients that people have, round \(round)")
            let client = try await stage.client()
            do {
                fresh.add(try await measure(run, stage, ClientLoad(client: client, operation: Self.near).run))
                try await Self.add(client, UInt64(round))
                after.add(try await measure(run, stage, ClientLoad(client: client, operation: Self.near).run))
                writes.add(try await measure(run, stage, ClientLoad(client: client, operation: Self.add).run))
            } catch {
                await client.close()
                throw error
            }
            await client.close()
            asked.add(try await measure(run, stage, Self.asking(port).run))
            posted.add(try await measure(run, stage, Self.posting(port).run))
        }
        let command = try await Self.command(run, stage, "waymark near, from start to end, p50")
        stage.stopQuery()
        try stage.startQuery()
        try await stage.settle()
        var rounds = Rounds()
        for (one, other) in zip(after.rates, fresh.rates) { rounds.add(one, beside: other) }
        let near = "near --limit 20 among \(FigureUnit.grouped(run.scale.landmarks))"
        let tasks = "WaymarkClient, \(Self.window) tasks"
        let connections = "\(Self.window) connections"
        return [
            TableLine(.people, "\(near), \(tasks), before it has written", .perSecond, Spread(fresh.rates))
                .remarking(fresh.remarks),
            TableLine(
                .people, "\(near), \(tasks), after it has written", .perSecond, rounds, beside: "before it has written"
            ).remarking(after.remarks),
            TableLine(.people, "durable writes, \(tasks)", .perSecond, Spread(writes.rates)).remarking(writes.remarks),
            TableLine(.people, "GET /v1/near, \(connections)", .perSecond, Spread(asked.rates))
                .remarking(asked.remarks),
            TableLine(.people, "POST /v1/landmarks, \(connections)", .perSecond, Spread(posted.rates))
                .remarking(posted.remarks),
            command,
        ]
    }

    private func measure(
        _ run: TableRun, _ stage: Stage, _ test: (LoadShape, LoadWatch) async throws -> LoadResult
    ) async throws -> LoadFigures {
        try await run.measure(run.closed(window: Self.window), of: stage.processes, test).figures
    }

    private static let places = World.questions(4_096, seed: 9)

    private static func place(_ number: UInt64) -> Coordinate { places[Int(number % UInt64(places.count))] }

    private static let near: @Sendable (WaymarkClient, UInt64) async throws -> Void = { client, number in
        _ = try await client.near(place(number), limit: 20)
    }

    private static let add: @Sendable (WaymarkClient, UInt64) async throws -> Void = { client, number in
        _ = try await client.add(try LandmarkDraft(name: "People \(number)", coordinate: place(number)))
    }

    private static func asking(_ port: UInt16) -> HTTPLoad {
        HTTPLoad(port: port, status: 200) { number in
            let place = place(number)
            return HTTPLoad.get("/v1/near?lat=\(place.latitude)&lng=\(place.longitude)&limit=20", port: port)
        }
    }

    private static func posting(_ port: UInt16) -> HTTPLoad {
        HTTPLoad(port: port, status: 201) { number in
            let place = place(number)
            return HTTPLoad.post(
                "/v1/landmarks",
                json: #"{"name":"People \#(number)","lat":\#(place.latitude),"lng":\#(place.longitude)}"#,
                user: "measure", port: port)
        }
    }

    private static func command(_ run: TableRun, _ stage: Stage, _ what: String) async throws -> TableLine {
        run.tell("waymark near, again and again")
        let program: String
        // The other lines do not need it.
        do { program = try Stage.product("waymark") } catch {
            var line = TableLine(.people, missing: "\(error)")
            line.what = what
            return line
        }
        let place = place(1)
        let words = [program, "near", "\(place.latitude),\(place.longitude)", "--connect", stage.endpoint]
        let (times, folder, stop) = (run.scale.commands, run.children.directory, run.children.stop)
        let sample = try await LoadThread.run {
            try CommandTimes.measure(words, times: times, folder: folder) {
                if stop.isAsked { throw CancellationError() }
            }
        }
        return TableLine(.people, what, .microseconds, Spread(sample.percentile(0.5)))
            .remarking(["\(sample.values.count) runs, one after another."])
    }
}
