// SPDX-License-Identifier: Apache-2.0

/// Counts what each receiver received, missed and lost.
extension BusStreamTest {
    func result(_ sent: StreamGenerator.Outcome, _ received: StreamArrivals) -> LoadResult {
        let counted = sent.result.tally.sent
        var (rows, expected): ([LoadFigures.Receiver], UInt64) = ([], 0)
        for (place, ledger) in received.ledgers.enumerated() {
            let all = count(upTo: sent.last, for: place)
            let warm = count(upTo: sent.last - min(sent.last, counted), for: place)
            // Everything before the first message that arrived was sent before the receiver had joined.
            let missed = isLate(place) && ledger.received > 0 ? ledger.lowest - 1 : 0
            rows.append(
                LoadFigures.Receiver(
                    name: name(place), received: ledger.received, missed: missed,
                    lost: ledger.lost(of: all - min(all, missed))))
            expected += all - min(all, max(warm, missed))
        }
        let copies = counted > 0 ? Double(expected) / Double(counted) : Double(rows.count)
        var result = received.result(beside: sent.result, expected: expected, copies: copies)
        let lost = rows.reduce(0) { $0 + $1.lost }
        result.figures.lost = lost
        result.figures.reorders = received.ledgers.reduce(0) { $0 + $1.reorders }
        let isPlanned = topics != nil || slow != nil || joinAt != nil
        if isPlanned || (lost > 0 && rows.count > 1) { result.figures.receivers = rows }
        return result
    }

    /// Returns how many of the messages up to a number a receiver must get.
    private func count(upTo number: UInt64, for place: Int) -> UInt64 {
        topics?.count(upTo: number, for: place) ?? number
    }

    private func isLate(_ place: Int) -> Bool { joinAt != nil && place == receivers - 1 }

    private func name(_ place: Int) -> String {
        let kind = isLate(place) ? " (late)" : place < slow?.count ?? 0 ? " (slow)" : ""
        return "receiver \(place + 1)\(kind)"
    }
}
