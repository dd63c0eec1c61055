// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

extension FanoutRow {
    /// The counts of subscribers that are measured beside ``Scale/subscribers``, at the same rate.
    private static let few = [1, 16]

    /// - Parameter size: the bytes of a message of the rivals.
    static func few(_ run: TableRun, _ stage: Stage, size: Int) async throws -> [TableLine] {
        var (server, missing): (RedisServer?, String) = (nil, "")
        do { server = try RedisServer(run, isDurable: false) } catch TableError.notInstalled(let program) {
            missing = program
        }
        defer { server?.end() }
        var measured: [Int: (bare: Rounds, published: Rounds)] = [:]
        let shape = shape(run)
        for round in run.rounds {
            for count in few {
                run.tell("fan-out to \(count), round \(round)")
                let test = TailTest(
                    endpoint: stage.commands, changes: stage.changes, user: "measure", subscribers: count)
                let own = try await run.measure(shape, test.run).figures.latency.p99
                let bare = try await run.measure(shape, floor(run, size, count).run).figures.latency.p99
                measured[count, default: (Rounds(), Rounds())].bare.add(own, beside: bare)
                guard let server else { continue }
                let fanout = RedisFanout(port: server.port, subscribers: count, size: max(size, 20))
                let published = try fanout.run(rate: rate, seconds: run.scale.seconds * 2, run.children.stop).p99
                try run.check()
                measured[count]?.published.add(own, beside: published)
            }
        }
        return few.flatMap { count -> [TableLine] in
            guard let rounds = measured[count] else { return [] }
            let (what, rival) = (tail(count), "Redis's PUBLISH")
            return [
                TableLine(.fanout, what, .microseconds, rounds.bare, beside: floorName),
                server == nil
                    ? TableLine(
                        .fanout, what, .microseconds, rounds.bare.measured, notMeasured: rival,
                        because: "there is no \(missing) on this machine")
                    : TableLine(.fanout, what, .microseconds, rounds.published, beside: rival),
            ]
        }
    }

    static let floorName = "bare commit + bare PUB/SUB"

    /// - Parameter size: the bytes of a message.
    static func floor(_ run: TableRun, _ size: Int, _ subscribers: Int) -> FlushedFanout {
        FlushedFanout(
            folder: run.children.directory, size: max(BusStreamTest.leastBytes, size), subscribers: subscribers)
    }
}
