// SPDX-License-Identifier: Apache-2.0

/// Receipts of Redis and PostgreSQL, for which the writer waits for the same disk.
struct ReceiptRivals {
    private static let what = "a write until its receipt, lock-step, WaymarkClient, p50"

    private let run: TableRun
    private let writes: Int
    private let own: [Double]

    /// - Parameter own: the medians of Waymark's rounds in microseconds.
    init(_ run: TableRun, writes: Int, beside own: [Double]) {
        (self.run, self.writes, self.own) = (run, writes, own)
    }

    func lines() throws -> [TableLine] {
        [
            try line("PostgreSQL, insert and NOTIFY") {
                let server = try PostgreSQLServer(run.children)
                do { try server.prepareWrites(record: WriteRivalsRow.record, payload: WriteRivalsRow.payload) } catch {
                    server.end()
                    throw error
                }
                return ({ try server.receipts(writes, run.children.stop) }, server.end)
            },
            try line("a Redis stream with fsync") {
                let server = try RedisServer(run, isDurable: true)
                let bytes = WriteRivalsRow.record + WriteRivalsRow.payload
                return ({ try server.receipts(writes, bytes: bytes, run.children.stop) }, server.end)
            },
        ]
    }

    /// - Parameter start: starts the rival; returns how to measure a round, and how to end it.
    private func line(_ name: String, _ start: () throws -> (() throws -> Sample, () -> Void)) throws -> TableLine {
        let (measure, end): (() throws -> Sample, () -> Void)
        do { (measure, end) = try start() } catch TableError.notInstalled(let what) {
            return TableLine(
                .receipt, Self.what, .microseconds, own, notMeasured: name,
                because: "there is no \(what) on this machine")
        }
        defer { end() }
        var rounds = Rounds()
        for median in own {
            run.tell("receipts of \(name)")
            rounds.add(median, beside: try measure().percentile(0.5))
            try run.check()
        }
        return TableLine(.receipt, Self.what, .microseconds, rounds, beside: name)
    }
}
