// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

// A landmark stores the number of its owner's account and also the account's name, so that a reader of the feed sees
// the name without knowing the accounts. When the name changes, each landmark is rewritten with a revision of its own.

extension CommandRunner {
    /// The maximum number of landmarks that one call examines, including landmarks that stay as they are.
    private static let mostLooked = 4_000

    /// Continues the oldest task: examines some landmarks, and rewrites those with the task's old owner or old name.
    ///
    /// - Parameter limit: the maximum number of landmarks to rewrite.
    func rewriteOwners(limit: Int, now: UInt64) throws -> WireReply {
        let done = WireReply.with { $0.done = WireDone() }
        guard let task = try tables.accounts.ownerTask() else { return done }
        guard let owner = try tables.accounts.find(task.account)?.account else {
            try tables.accounts.advance(task, to: nil)
            return done
        }
        let records = try landmarks.records(after: task.after, limit: Self.mostLooked)
        var (last, rewritten, erased) = (task.after, 0, 0)
        for record in records where rewritten < limit {
            let stored = try StoredLandmark(record: record)
            if owner.isEnded, task.claimed == nil, stored.landmark.account == owner.number {
                // An ended account leaves its landmarks, but not its tracks.
                let left = TrackSweep.mostPoints - erased
                let count = try tables.tracks.delete(of: stored.landmark.id.high, before: .max, limit: left)
                (erased, rewritten) = (erased + count, rewritten + 1)
                // The next step looks at this landmark again.
                if count == left {
                    rewritten = limit
                    break
                }
            }
            last = stored.landmark.id.high
            guard let landmark = task.rewritten(stored.landmark, name: owner.name) else { continue }
            do {
                _ = try write(landmark, .changed, before: stored, user: owner.name, now: now)
            } catch let refusal as ServiceError where refusal.code == .tooLarge {
                // A landmark of the maximum size has no room for a longer name. It keeps the old name, and must not
                // block the other landmarks.
                continue
            }
            rewritten += 1
        }
        let isOver = records.count < Self.mostLooked && rewritten < limit
        try tables.accounts.advance(task, to: isOver ? nil : last)
        return done
    }
}

extension WriterTables {
    /// Makes the task that erases the tracks of an account, if it has ended: a landmark that comes back was away when
    /// it did.
    func eraseTracks(ofEnded account: UInt64) throws {
        guard account > 0, try accounts.find(account)?.account.isEnded == true else { return }
        try accounts.addOwnerTask(account: account, claimed: nil)
    }
}

extension AccountTable {
    /// Returns a landmark of the log with the names that the accounts of its owner and of its notes have now.
    func withPresentNames(_ landmark: Landmark) throws -> Landmark {
        var landmark = landmark
        for account in Set([landmark.account] + landmark.notes.map(\.account)) where account > 0 {
            guard let name = try find(account)?.account.name else { continue }
            let task = OwnerTask(id: 0, account: account, claimed: nil, after: 0)
            landmark = task.rewritten(landmark, name: name) ?? landmark
        }
        return landmark
    }
}

extension OwnerTask {
    /// Returns the landmark with its new owner, or with the owner's new name; nil if neither applies.
    fileprivate func rewritten(_ landmark: Landmark, name: String) -> Landmark? {
        var new = landmark
        if landmark.source == nil, isTheirs(landmark.account, landmark.user) {
            (new.account, new.user) = (account, name)
        }
        for (index, note) in landmark.notes.enumerated() where isTheirs(note.account, note.user) {
            (new.notes[index].account, new.notes[index].user) = (account, name)
        }
        return new == landmark ? nil : new
    }

    private func isTheirs(_ account: UInt64, _ user: String) -> Bool {
        if let claimed { account == 0 && user == claimed } else { account == self.account }
    }
}
