// SPDX-License-Identifier: Apache-2.0

/// From a write to its receipt by a subscriber of an area, one write at a time, directly at storage.
struct ReceiptRow: TableRow {
    func lines(_ run: TableRun) async throws -> [TableLine] {
        let services = try Services(run.children)
        defer { services.end() }
        let writes = run.scale.isQuick ? 50 : 1_000
        let rivals = try ReceiptRivals(run, writes: writes)
        defer { rivals.end() }
        let times = try await ReceiptTimes(services)
        var (middle, tail, plainMiddle, plainTail) = (Rounds(), Rounds(), Rounds(), Rounds())
        do {
            for round in run.rounds {
                run.tell("commit to receipt, round \(round)")
                try run.check()
                let figures = try await times.round(writes: writes)
                let (half, most) = (figures.bareBoth.percentile(0.5), figures.bareBoth.percentile(0.99))
                middle.add(figures.told.percentile(0.5), beside: half)
                tail.add(figures.told.percentile(0.99), beside: most)
                plainMiddle.add(figures.heard.percentile(0.5), beside: half)
                plainTail.add(figures.heard.percentile(0.99), beside: most)
                try rivals.round(beside: figures.told.percentile(0.5))
            }
        } catch {
            await times.close()
            throw error
        }
        await times.close()
        let bare = "bare commit + bare PUB/SUB"
        let what = "a write until its receipt, lock-step, WaymarkClient"
        let plain = "a write until its receipt, lock-step, plain sockets"
        return [
            TableLine(
                .receipt, "\(plain), p50", .microseconds, plainMiddle, beside: bare, goal: .ratio(.atMost, 1.5)),
            TableLine(.receipt, "\(plain), p99", .microseconds, plainTail, beside: bare, goal: .ratio(.atMost, 2)),
            TableLine(.receipt, "\(what), p50", .microseconds, middle, beside: bare, goal: .ratio(.atMost, 1.25)),
            TableLine(.receipt, "\(what), p99", .microseconds, tail, beside: bare, goal: .ratio(.atMost, 1.6)),
        ] + rivals.lines
    }
}
