// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Keeps for each client the highest sequence number whose answer was forgotten. A request with this or a lower number
/// may have been executed before, so it is refused and not executed again.
///
/// As in ``AnswerBook``, new rows get the highest ids, and the rows with the lowest ids are deleted. When a client's
/// mark rises, a new row is written, and the client's older row no longer counts. Number and age of the rows are
/// limited. Both limits leave a client far more than the two minutes in which it repeats a request, because a client
/// that writes alone makes one mark for every 1,024 answers. Marks are dropped sooner only if nearly every write comes
/// from a different client: then a mark outlasts as many writes as there are marks.
final class ForgottenMarks {
    private let window: AnswerWindow
    private let table: any MarkTable
    private var rows: [UUIDv7: (sequence: UInt64, id: UInt64)] = [:]
    private var kept = RowQueue<UUIDv7>()
    /// The marks that the open transaction has written.
    private var uncommitted: [UUIDv7: UInt64] = [:]
    private var toDrop: UInt64?

    init(_ table: any MarkTable, window: AnswerWindow, uptime: Duration) throws {
        (self.window, self.table) = (window, table)
        try table.forEach { id, client, sequence in
            try kept.restore(client, id: id, of: "marks of forgotten answers", at: uptime)
            rows[client] = (sequence, id)
        }
    }

    /// Whether the state in memory agrees with the table.
    func agrees() throws -> Bool { try table.newest() == (kept.isEmpty ? 0 : kept.end - 1) }

    func covers(_ key: AnswerBook.Key) -> Bool {
        rows[key.client].map { key.sequence <= $0.sequence } ?? false
    }

    /// Records that the answers to these requests are forgotten.
    func mark(_ keys: some Sequence<AnswerBook.Key>) throws {
        for key in keys {
            let known = uncommitted[key.client] ?? rows[key.client]?.sequence ?? 0
            uncommitted[key.client] = max(known, key.sequence)
        }
        var id = kept.end
        for (client, sequence) in uncommitted {
            try table.insert(id, client: client, sequence: sequence)
            id += 1
        }
    }

    /// Deletes marks that are beyond a limit of the window, but only a limited number in one transaction. Must be
    /// called before ``mark(_:)``.
    func prune(uptime: Duration) throws {
        let end = kept.surplus(over: window.marks, step: window.step, olderThan: uptime - window.markAge)
        guard end > kept.start else { return }
        try table.delete(kept.start..<end)
        toDrop = end
    }

    func committed(uptime: Duration) {
        // An unchanged dictionary keeps its order, so this loop has the order in which the rows were written.
        for (client, sequence) in uncommitted { record(client, sequence, uptime) }
        uncommitted.removeAll(keepingCapacity: true)
        guard let end = toDrop else { return }
        toDrop = nil
        kept.dropFirst(upTo: end) { client, id in
            if rows[client]?.id == id { rows[client] = nil }
        }
    }

    func rollBack() {
        uncommitted.removeAll(keepingCapacity: true)
        toDrop = nil
    }

    private func record(_ client: UUIDv7, _ sequence: UInt64, _ uptime: Duration) {
        rows[client] = (sequence, kept.end)
        kept.append(client, at: uptime)
    }
}
