// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

/// Many subscribers of everything, at a rate that they can follow, and flooded.
struct FanoutRow: TableRow {
    static let rate = 1_000.0

    static func shape(_ run: TableRun) -> LoadShape {
        LoadShape(
            loop: .open(.rate(rate), arrival: .constant), end: .duration(seconds: run.scale.seconds * 2),
            warmUp: run.scale.warmUp, seed: run.seed)
    }

    static func tail(_ subscribers: Int) -> String {
        "p99 from the intended write to receipt, \(subscribers) \(subscribers == 1 ? "subscriber" : "subscribers") at "
            + FigureUnit.perSecond.text(rate)
    }

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let stage = try Stage(run.children, "fanout")
        defer { stage.end() }
        let count = run.scale.subscribers
        // Writes go to storage directly, because the query service would follow the feed too.
        let test = TailTest(endpoint: stage.commands, changes: stage.changes, user: "measure", subscribers: count)
        var (tail, lost, busy) = (Rounds(), [Double](), [Double]())
        let shape = Self.shape(run)
        var size = 200
        for round in run.rounds {
            run.tell("fan-out at a rate, round \(round)")
            let figures = try await run.measure(shape, test.run).figures
            lost.append(Double((figures.lost ?? 0) + (figures.repeats ?? 0) + (figures.reorders ?? 0)))
            busy.append(figures.generatorCPU / figures.seconds)
            size = max(BusStreamTest.leastBytes, Int(figures.bytes / max(1, figures.done)))
            let bare = try await run.measure(shape, Self.floor(run, size, count).run).figures
            tail.add(figures.latency.p99, beside: bare.latency.p99)
        }
        let flood = try await Self.flood(run, stage, size: size)
        let few = try await Self.few(run, stage, size: size)
        let published = try Self.redis(run, size: size, tail.measured, flood.measured)
        let at = "\(count) subscribers at \(FigureUnit.perSecond.text(Self.rate))"
        let cores = Spread(busy).map {
            "The generator and the subscribers, one process, used \(FigureUnit.number($0.median)) cores, "
                + "\(FigureUnit.number($0.median * 1e6 / (Self.rate * Double(count)))) µs for each change received."
        }
        return [
            TableLine(
                .fanout, "lost, repeated or out of order, \(at)", .count, Spread(lost), goal: .measured(.atMost, 0)),
            TableLine(
                .fanout, Self.tail(count), .microseconds, tail, beside: Self.floorName,
                goal: .ratio(.atMost, 2)
            ).remarking([cores, "\(size) bytes."]),
            TableLine(
                .fanout, "delivered to \(count) subscribers, flooded", .perSecond, flood, beside: "bare PUB/SUB",
                goal: .ratio(.atLeast, 0.8)
            ).remarking(["\(size) bytes."]),
        ] + published + few
    }

    /// The same of Redis's PUBLISH, which promises nothing about what a subscriber misses.
    private static func redis(_ run: TableRun, size: Int, _ tail: [Double], _ flood: [Double]) throws -> [TableLine] {
        let at = Self.tail(run.scale.subscribers)
        let server: RedisServer
        do { server = try RedisServer(run, isDurable: false) } catch TableError.notInstalled(let what) {
            return [
                TableLine(
                    .fanout, at, .microseconds, tail, notMeasured: "Redis's PUBLISH",
                    because: "there is no \(what) on this machine")
            ]
        }
        defer { server.end() }
        let fanout = RedisFanout(port: server.port, subscribers: run.scale.subscribers, size: max(size, 20))
        var (times, rates) = (Rounds(), Rounds())
        for (own, flooded) in zip(tail, flood) {
            run.tell("fan-out of Redis")
            let seconds = run.scale.seconds
            times.add(own, beside: try fanout.run(rate: rate, seconds: seconds * 2, run.children.stop).p99)
            rates.add(flooded, beside: try fanout.run(rate: nil, seconds: seconds, run.children.stop).delivered)
            try run.check()
        }
        return [
            TableLine(.fanout, at, .microseconds, times, beside: "Redis's PUBLISH"),
            TableLine(
                .fanout, "delivered to \(run.scale.subscribers) subscribers, flooded", .perSecond, rates,
                beside: "Redis's PUBLISH"),
        ]
    }

    private static func flood(_ run: TableRun, _ stage: Stage, size: Int) async throws -> Rounds {
        var rounds = Rounds()
        let (seconds, subscribers, stopped) = (run.scale.seconds, run.scale.subscribers, run.children.stop)
        let commands = stage.commands
        for round in run.rounds {
            run.tell("fan-out, flooded, round \(round)")
            let stop = LoadStop()
            let writing = Task {
                let word = LoadName.word()
                let test = ServiceTest(endpoint: commands, user: "measure", timeout: 60_000_000_000) {
                    [
                        WeightedOperation(
                            IngestOperation(source: "flood \(word)", rows: 100, around: nil, seed: 1, run: word))
                    ]
                }
                return try await test.run(
                    LoadShape(loop: .closed(window: 4), end: .duration(seconds: 600), warmUp: 0), LoadWatch(stop: stop))
            }
            let receivers = FloodReceivers(endpoint: stage.changes, subscribers: subscribers)
            let delivered: Double
            do {
                delivered = try await LoadThread.run { try receivers.rate(seconds: seconds, stopped) }
            } catch {
                stop.ask()
                _ = try? await writing.value
                throw error
            }
            stop.ask()
            let written = try await writing.value
            guard written.figures.failures == 0 else { throw TableError.refused(written.figures.errors) }
            try run.check()
            let bare = try await LoadThread.run {
                let sender = try FloodSender(size: size)
                defer { sender.stop() }
                return try FloodReceivers(endpoint: sender.endpoint, subscribers: subscribers, isFeed: false)
                    .rate(seconds: seconds, stopped)
            }
            try run.check()
            rounds.add(delivered, beside: bare)
        }
        return rounds
    }
}
