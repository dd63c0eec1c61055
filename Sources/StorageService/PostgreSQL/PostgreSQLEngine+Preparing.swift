// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL

/// The first requests of the next batch, whose rules have run while the present one was being made durable.
struct PreparedWrites {
    /// Of the rules, before the first of them.
    let mark: BatchRunner.Mark
    private var requests: [WriteRequest] = []
    private(set) var replies: [[UInt8]] = []

    init(_ mark: BatchRunner.Mark) { self.mark = mark }

    mutating func append(_ more: ArraySlice<WriteRequest>, _ itsReplies: [[UInt8]]) {
        requests += more
        replies += itsReplies
    }

    func isStart(of batch: [WriteRequest]) -> Bool {
        batch.starts(with: requests) { $0.key == $1.key && $0.digest == $1.digest }
    }
}

/// The rules of the next batch run on this thread while PostgreSQL executes and flushes the present one. They see what it
/// has decided; their own rows are sent when it is committed. If it is not, they are undone with it and run again.
extension PostgreSQLEngine {
    /// - Parameter receive: waits for the answers of the present batch, and calls what it is given when there are offers.
    func prepareNext(
        _ receive: (_ body: () -> Void) throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
        set.awaitsCommit = true
        defer { set.awaitsCommit = false }
        try receive {
            let offered = remote.offers.take()
            if preparesOffers { preparesOffers = prepare(offered) }
        }
    }

    /// - Returns: whether what is offered next can be prepared too: nothing is left out.
    private func prepare(_ offered: [WriteRequest]) -> Bool {
        // The others have to read rows first, for which the connection is not free.
        let requests = offered.prefix { if case .add = $0.command { true } else { false } }
        guard !requests.isEmpty else { return offered.isEmpty }
        if prepared == nil { prepared = PreparedWrites(rules.mark) }
        do {
            let replies = try rules.run(requests, isGuarded: false, uptime: tuning.uptime())
            prepared?.append(requests, replies)
            return requests.count == offered.count
        } catch {
            // It has to read, or fails; in its batch it will be seen why.
            undoPrepared()
            return false
        }
    }

    /// - Returns: what is prepared of this batch. Anything else is undone.
    func takePrepared(for batch: [WriteRequest], isGuarded: Bool) -> PreparedWrites? {
        guard let prepared else { return nil }
        guard !isGuarded, prepared.isStart(of: batch) else {
            undoPrepared()
            return nil
        }
        self.prepared = nil
        return prepared
    }

    func undoPrepared() {
        guard let prepared else { return }
        rules.rollBack(to: prepared.mark)
        set.clear()
        self.prepared = nil
    }
}
