// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL

/// The first requests of the next batch, whose rules have run while the present one was being made durable.
struct PreparedWrites {
    /// Of the rules, before the first of them.
    let mark: BatchRunner.Mark
    private var keys: [AnswerBook.Key] = []
    private(set) var replies: [[UInt8]] = []

    init(_ mark: BatchRunner.Mark) { self.mark = mark }

    mutating func append(_ requests: ArraySlice<WriteRequest>, _ more: [[UInt8]]) {
        keys += requests.map(\.key)
        replies += more
    }

    func begin(_ batch: [WriteRequest]) -> Bool { batch.lazy.map(\.key).starts(with: keys) }
}

/// The rules of the next batch run on this thread while PostgreSQL executes and flushes the present one. They see what it
/// has decided; their own rows are sent when it is committed. If it is not, they are undone with it and run again.
extension PostgreSQLEngine {
    /// - Parameter receive: waits for the answers of the present batch, and calls what it is given when there are offers.
    func prepareNext(
        _ receive: (_ body: () -> Void) throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
        set.isCommitting = true
        defer { set.isCommitting = false }
        var goesOn = true
        try receive {
            let offered = remote.offers.take()
            if goesOn { goesOn = prepare(offered) }
        }
    }

    /// - Returns: whether what is offered next can be prepared too: nothing is left out.
    private func prepare(_ offered: [WriteRequest]) -> Bool {
        // The others have to read rows first, for which the connection is not free.
        let requests = offered.prefix { if case .add = $0.command { true } else { false } }
        guard !requests.isEmpty else { return offered.isEmpty }
        var next = prepared ?? PreparedWrites(rules.mark)
        do {
            next.append(requests, try rules.run(requests, isGuarded: false, uptime: tuning.uptime()))
            prepared = next
            return requests.count == offered.count
        } catch {
            // It has to read, or fails; in its batch it will be seen why.
            undo(next)
            return false
        }
    }

    /// - Returns: what is prepared of this batch. Anything else is undone.
    func takePrepared(for batch: [WriteRequest], isGuarded: Bool) -> PreparedWrites? {
        guard let prepared else { return nil }
        guard !isGuarded, prepared.begin(batch) else {
            undo(prepared)
            return nil
        }
        self.prepared = nil
        return prepared
    }

    private func undo(_ prepared: PreparedWrites) {
        rules.rollBack(to: prepared.mark)
        set.clear()
        self.prepared = nil
    }
}
