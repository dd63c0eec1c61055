// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SQLite
import WaymarkProtocol

/// Takes changes from the log into the text search, one pass at a time, however many ask for one.
actor SearchFeeder {
    private static let rows = 4_000
    private static let bytes = 4 * 1024 * 1024

    private let database: OpenDatabase
    private let epoch: UUIDv7
    private let run: UUIDv7
    private let log: SQLiteLog
    private let logger: Logger
    /// Told to others after each step.
    private let reach: SearchReach
    private var pass: Task<Void, any Error>?

    init(
        database: OpenDatabase, epoch: UUIDv7, run: UUIDv7, log: SQLiteLog, reach: SearchReach, logger: Logger
    ) {
        self.database = database
        self.epoch = epoch
        self.run = run
        self.log = log
        self.reach = reach
        self.logger = logger
    }

    /// Comes to what was the log's head when the pass began: the one that is under way, or a new one.
    func catchUp() async throws(EngineError) {
        let pass = pass ?? Task { try await pursue() }
        self.pass = pass
        let result = await pass.result
        if self.pass == pass { self.pass = nil }
        do {
            return try result.get()
        } catch {
            throw EngineError(error)
        }
    }

    private func pursue() async throws(EngineError) {
        do {
            try await follow()
        } catch {
            switch error {
            case .compacted, .futureRevision, .otherHistory, .corrupted:
                // Once: what is wrong with a file that was just built is not the file.
                logger.warning("The text search is built anew: \(error)")
                try await database.writeWithoutTransaction { [epoch] db in
                    // An empty database copied over it: whatever the file holds, it need not be readable for that.
                    try DatabaseQueue().inDatabase { empty in try empty.backup(to: db) }
                    try SearchSchema.create(db, epoch: epoch)
                }
                try await follow()
            default: throw error
            }
        }
    }

    private func follow() async throws(EngineError) {
        var progress = try await database.read { db in try SearchProgress.read(db) }
        if !progress.isWhole { progress = try await build() }
        reach.set(progress.rev)
        var end: UInt64?
        while true {
            let page = try await log.changes(
                since: progress.rev, run: progress.run, limit: Self.rows, maxBytes: Self.bytes)
            if !page.changes.isEmpty {
                let reached = SearchProgress(epoch: epoch, run: run, rev: page.through, isWhole: true)
                try await database.write { db in
                    let words = try SearchWriter(db)
                    for bytes in page.changes { try words.take(bytes) }
                    try reached.write(db)
                }
                progress = reached
                reach.set(page.through)
            }
            // Not the head of now: while many write, that one is never reached.
            end = end ?? page.head
            if let end, page.through >= end { return }
        }
    }

    /// Takes in all landmarks, while they change: what follows the first page's revision is read from the log after.
    private func build() async throws(EngineError) -> SearchProgress {
        try await database.write { [epoch] db in try SearchSchema.create(db, epoch: epoch) }
        var page = try await log.snapshot(after: nil, limit: Self.rows, maxBytes: Self.bytes)
        let end = SearchProgress(epoch: epoch, run: run, rev: page.rev, isWhole: true)
        while true {
            let (records, isLast) = (page.records, page.next == nil)
            try await database.write { db in
                let words = try SearchWriter(db)
                for record in records { try words.put(record: record) }
                if isLast { try end.write(db) }
            }
            guard let next = page.next else { return end }
            page = try await log.snapshot(after: next, limit: Self.rows, maxBytes: Self.bytes)
        }
    }
}
