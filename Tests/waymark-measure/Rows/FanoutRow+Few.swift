// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

extension FanoutRow {
    /// The counts of subscribers that are measured beside ``Scale/subscribers``, at the same rate.
    private static let few = [1, 16]

    /// - Parameter size: the bytes of a message of the rivals.
    static func few(_ run: TableRun, _ stage: Stage, size: Int) async throws -> [TableLine] {
        var measured: [Int: (beside: Rounds, own: [Double])] = [:]
        let shape = shape(run)
        for round in run.rounds {
            for count in few {
                run.tell("fan-out to \(count), round \(round)")
                let test = TailTest(
                    endpoint: stage.commands, changes: stage.changes, user: "measure", subscribers: count)
                let own = try await run.measure(shape, test.run).figures.latency.p99
                let bus = BusStreamTest(.pub, size: size, receivers: count)
                measured[count, default: (Rounds(), [])].own.append(own)
                measured[count]?.beside.add(own, beside: try await run.measure(shape, bus.runBare).figures.latency.p99)
            }
        }
        var lines: [TableLine] = []
        for count in few {
            guard let figures = measured[count] else { continue }
            let what = tail(count)
            lines.append(
                TableLine(.fanout, what, .microseconds, figures.beside, beside: "bare PUB/SUB"))
            lines.append(try published(run, what, figures.own, size: size, subscribers: count))
        }
        return lines
    }

    private static func published(
        _ run: TableRun, _ what: String, _ own: [Double], size: Int, subscribers: Int
    ) throws -> TableLine {
        let server: RedisServer
        do { server = try RedisServer(run, isDurable: false) } catch TableError.notInstalled(let program) {
            return TableLine(
                .fanout, what, .microseconds, own, notMeasured: "Redis's PUBLISH",
                because: "there is no \(program) on this machine")
        }
        defer { server.end() }
        let fanout = RedisFanout(port: server.port, subscribers: subscribers, size: max(size, 20))
        var times = Rounds()
        for own in own {
            run.tell("fan-out of Redis to \(subscribers)")
            let seconds = run.scale.seconds * 2
            times.add(own, beside: try fanout.run(rate: rate, seconds: seconds, run.children.stop).p99)
            try run.check()
        }
        return TableLine(.fanout, what, .microseconds, times, beside: "Redis's PUBLISH")
    }
}
