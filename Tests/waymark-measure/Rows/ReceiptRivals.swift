// SPDX-License-Identifier: Apache-2.0

/// Receipts of Redis and PostgreSQL, for which the writer waits for the same disk. They take turns with Waymark's.
final class ReceiptRivals {
    private struct Rival {
        let name: String
        let goal: Goal
        /// How to measure a round, and how to end the server; nil where it is not installed.
        var server: (measure: () throws -> Sample, end: () -> Void)?
        var missing = ""
        var rounds = Rounds()
    }

    private static let what = "a write until its receipt, lock-step, WaymarkClient, p50"

    private let run: TableRun
    private var rivals: [Rival] = []
    private var own: [Double] = []

    /// Starts the servers.
    init(_ run: TableRun, writes: Int) throws {
        self.run = run
        let (record, payload, stop) = (WriteRivalsRow.record, WriteRivalsRow.payload, run.children.stop)
        do {
            try add("PostgreSQL, insert and NOTIFY", .ratio(.atMost, 1.6)) {
                let server = try PostgreSQLServer(run.children)
                do { try server.prepareWrites(record: record, payload: payload) } catch {
                    server.end()
                    throw error
                }
                return ({ try server.receipts(writes, stop) }, server.end)
            }
            try add("a Redis stream with fsync", .ratio(.atMost, 1.8)) {
                let server = try RedisServer(run, isDurable: true)
                return ({ try server.receipts(writes, bytes: record + payload, stop) }, server.end)
            }
        } catch {
            end()
            throw error
        }
    }

    private func add(
        _ name: String, _ goal: Goal, _ start: () throws -> (measure: () throws -> Sample, end: () -> Void)
    ) throws {
        var rival = Rival(name: name, goal: goal)
        do { rival.server = try start() } catch TableError.notInstalled(let what) { rival.missing = what }
        rivals.append(rival)
    }

    /// Measures a round of each.
    ///
    /// - Parameter median: of Waymark's round, in microseconds.
    func round(beside median: Double) throws {
        own.append(median)
        for place in rivals.indices {
            guard let server = rivals[place].server else { continue }
            run.tell("receipts of \(rivals[place].name)")
            rivals[place].rounds.add(median, beside: try server.measure().percentile(0.5))
            try run.check()
        }
    }

    var lines: [TableLine] {
        rivals.map { rival in
            guard rival.server != nil else {
                return TableLine(
                    .receipt, Self.what, .microseconds, own, notMeasured: rival.name,
                    because: "there is no \(rival.missing) on this machine")
            }
            return TableLine(
                .receipt, Self.what, .microseconds, rival.rounds, beside: rival.name, goal: rival.goal)
        }
    }

    func end() {
        for rival in rivals { rival.server?.end() }
    }
}
