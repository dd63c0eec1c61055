// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SQLite

/// Copies changes from the log to the text search. Only one pass runs at a time, and its callers share it.
actor SearchFeeder {
    private static let rows = 4_000
    private static let bytes = 4 * 1024 * 1024

    private let database: DatabaseQueue
    private let epoch: UUIDv7
    private let run: UUIDv7
    private let log: any StorageReader
    private let logger: Logger
    /// Is told the newest revision in the index after each step.
    private let control: EngineControl
    private var pass: Task<Void, any Error>?

    init(
        database: DatabaseQueue, epoch: UUIDv7, run: UUIDv7, log: any StorageReader, control: EngineControl,
        logger: Logger
    ) {
        (self.database, self.epoch, self.run) = (database, epoch, run)
        (self.log, self.control, self.logger) = (log, control, logger)
    }

    /// Copies all changes up to the head of the log when the pass starts. Joins the pass in progress, or starts a pass.
    func catchUp() async throws(EngineError) {
        let pass = pass ?? Task { try await pursue() }
        self.pass = pass
        let result = await pass.result
        if self.pass == pass { self.pass = nil }
        return try result.mapError { EngineError($0) }.get()
    }

    private func pursue() async throws {
        do {
            try await follow()
        } catch {
            let error = EngineError(error)
            switch error {
            case .compacted, .futureRevision, .otherHistory, .corrupted:
                // Rebuild only once, because if the new file fails too, the cause is not the file.
                logger.warning("The text search is being rebuilt: \(error)")
                try await database.writeWithoutTransaction { [epoch] db in
                    try SearchSchema.replace(db, epoch: epoch)
                }
                try await follow()
            default: throw error
            }
        }
    }

    private func follow() async throws {
        var progress = try await database.read { db in try SearchProgress.read(db) }
        if !progress.isWhole { progress = try await build() }
        control.search(reached: progress.rev)
        var end: UInt64?
        while true {
            let page = try await log.changes(
                since: progress.rev, run: progress.run, limit: Self.rows, maxBytes: Self.bytes)
            if !page.changes.isEmpty {
                let reached = SearchProgress(epoch: epoch, run: run, rev: page.through, isWhole: true)
                try await database.write { db in
                    let words = try SearchWriter(db)
                    for bytes in page.changes { try words.apply(bytes) }
                    try reached.write(db)
                }
                progress = reached
                control.search(reached: page.through)
            }
            // Read up to the log's head as the first page reported it. With many writes a newer head might never be
            // reached.
            end = end ?? page.head
            if let end, page.through >= end { return }
        }
    }

    /// Adds all landmarks. They may change meanwhile, so the changes after the revision of the first page are read from
    /// the log afterwards.
    private func build() async throws -> SearchProgress {
        try await database.write { [epoch] db in try SearchSchema.create(db, epoch: epoch) }
        var page = try await log.snapshot(after: nil, limit: Self.rows, maxBytes: Self.bytes)
        let end = SearchProgress(epoch: epoch, run: run, rev: page.head, isWhole: true)
        while true {
            let (records, isLast) = (page.landmarks, page.next.isEmpty)
            try await database.write { db in
                let words = try SearchWriter(db)
                for record in records { try words.put(record: record) }
                if isLast { try end.write(db) }
            }
            guard let next = UUIDv7(bytes: page.next) else { return end }
            page = try await log.snapshot(after: next, limit: Self.rows, maxBytes: Self.bytes)
        }
    }
}
