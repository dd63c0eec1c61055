// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

/// Durable writes beside Redis and PostgreSQL, which wait for the same disk. Each writes as many bytes as storage does
/// for a landmark and its change.
struct WriteRivalsRow: TableRow {
    /// The bytes of a landmark's record and of its change, about, in this load.
    static let (record, payload) = (110, 150)

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let stage = try Stage(run.children, "rivals")
        defer { stage.end() }
        try stage.startQuery()
        var own: [Int: [Double]] = [:]
        for round in run.rounds {
            for window in [1, 8, 256] {
                run.tell("writes, window \(window), round \(round)")
                own[window, default: []].append(try await write(run, stage, window))
            }
        }
        let wide = own[256] ?? []
        return try redis(run, own) + postgreSQL(run, wide)
    }

    private func write(_ run: TableRun, _ stage: Stage, _ window: Int) async throws -> Double {
        let test = ServiceTest(endpoint: stage.commands, user: "measure") { [seed = run.seed] in
            [WeightedOperation(WriteOperation(around: nil, seed: seed, run: LoadName.word()))]
        }
        return try await run.measure(run.closed(window: window), of: stage.processes, test.run).figures.throughput
    }

    private func redis(_ run: TableRun, _ own: [Int: [Double]]) throws -> [TableLine] {
        let server: RedisServer
        do { server = try RedisServer(run, isDurable: true) } catch TableError.notInstalled(let what) {
            return [missing("Redis with fsync", own[256] ?? [], what)]
        }
        defer { server.end() }
        var lines: [TableLine] = []
        for (clients, window, count) in [(1, 1, 6_000), (8, 8, 30_000), (64, 256, 120_000)] {
            var rounds = Rounds()
            for (number, rate) in (own[window] ?? []).enumerated() {
                run.tell("Redis with fsync, \(clients) clients, round \(number + 1)")
                try run.check()
                rounds.add(
                    rate,
                    beside: try server.writeRate(
                        clients: clients, count: run.scale.isQuick ? count / 30 : count,
                        bytes: Self.record + Self.payload))
            }
            lines.append(
                TableLine(
                    .rivals, "durable writes, window \(window)", .perSecond, rounds,
                    beside: clients == 1 ? "Redis with fsync, 1 client" : "Redis with fsync, \(clients) clients",
                    goal: clients == 64 ? .ratio(.atLeast, 1) : nil))
        }
        var streams = Rounds()
        for rate in own[256] ?? [] {
            run.tell("a Redis stream with fsync")
            streams.add(
                rate,
                beside: try server.streamRate(
                    window: 256, bytes: Self.record + Self.payload, seconds: run.scale.seconds, run.children.stop))
            try run.check()
        }
        let what = "durable writes, window 256, with a query service that follows"
        lines.append(
            TableLine(.rivals, what, .perSecond, streams, beside: "a Redis stream with fsync and one subscriber"))
        return lines
    }

    private func postgreSQL(_ run: TableRun, _ own: [Double]) throws -> [TableLine] {
        let server: PostgreSQLServer
        do { server = try PostgreSQLServer(run.children) } catch TableError.notInstalled(let what) {
            return [missing("PostgreSQL", own, what)]
        }
        defer { server.end() }
        run.versions["PostgreSQL"] = try server.query("SHOW server_version").trimmed
        try server.prepareWrites(record: Self.record, payload: Self.payload)
        let rivals: [(PostgreSQLServer.Write, Int, String, Goal?)] = [
            (.change, 8, "PostgreSQL with a change row, 8 clients", .ratio(.atLeast, 5)),
            (.notified, 8, "the same with NOTIFY", nil),
            (.sequence, 8, "the same with revisions from a sequence, without NOTIFY", nil),
            (.batch, 1, "PostgreSQL, 256 rows by one statement", nil),
        ]
        return try rivals.map { write, clients, name, goal in
            var rounds = Rounds()
            for rate in own {
                run.tell("writes beside \(name)")
                try run.check()
                rounds.add(
                    rate, beside: try server.writeRate(write, clients: clients, seconds: run.scale.seconds))
            }
            return TableLine(
                .rivals, "durable writes, window 256", .perSecond, rounds, beside: name, goal: goal)
        }
    }

    private func missing(_ name: String, _ own: [Double], _ what: String) -> TableLine {
        TableLine(
            .rivals, "durable writes, window 256", .perSecond, own, notMeasured: name,
            because: "there is no \(what) on this machine")
    }
}

extension String {
    fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
