// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

// A row is identified by its source and key. It may change only the landmark that was made from it.

extension CommandRunner {
    func ingest(_ batch: IngestBatch, by caller: Caller, now: UInt64) throws -> WireReply {
        try caller.require(.ingest)
        guard batch.isDryRun else { return try counted(batch, now: now) }
        // A dry run is executed and then rolled back, so that its counts are exactly those of a real run.
        let mark = mark
        var reply = WireReply()
        try tables.inSavepoint {
            reply = try counted(batch, now: now)
            return false
        }
        rollBack(to: mark)
        reply.ingest.rev = 0
        return reply
    }

    private func counted(_ batch: IngestBatch, now: UInt64) throws -> WireReply {
        let start = head.rev
        var report = WireIngestReport.with { $0.rejected = batch.rejected }
        for row in batch.rows {
            do {
                let key = SourceKey(name: batch.source, key: row.key)
                let outcome = try apply(row.draft, under: key, now: now)
                report.counts[keyPath: outcome] += 1
            } catch let refusal as ServiceError {
                report.rejected.append(WireRejectedRow(row.place, refusal.message))
            }
        }
        if !report.rejected.isEmpty { report.counts.rejected = UInt64(report.rejected.count) }
        for key in batch.vanished {
            let outcome = try drop(SourceKey(name: batch.source, key: key), now: now)
            if let outcome { report.counts[keyPath: outcome] += 1 }
        }
        if batch.isEmpty, try !tables.sources.hasRows(of: batch.source) { try tables.fetches.forget(batch.source) }
        if head.rev > start { report.rev = head.rev }
        return .with { $0.ingest = report }
    }

    /// The count to which a row of a source belongs.
    private typealias Outcome = WritableKeyPath<WireIngestCounts, UInt64>

    private func apply(_ draft: LandmarkDraft, under key: SourceKey, now: UInt64) throws -> Outcome {
        let encoded = draft.encoded
        let known = try tables.sources.find(key)
        let former = known == nil ? try formerRow(draft, key) : nil
        guard let row = known ?? former?.row else {
            var landmark = Landmark(draft, id: ids.next(now: now), created: now)
            landmark.source = key
            landmark = try write(landmark, .added, before: nil, user: "", now: now)
            try tables.sources.insert(key, RememberedRow(landmark: landmark.id.high, draft: encoded))
            return \.added
        }
        // A landmark that a person removed stays removed until its row vanishes from the source.
        guard let landmark = row.landmark, encoded != row.draft || former != nil else {
            if let former { try tables.sources.rename(former.key, to: key.key) }
            return \.unchanged
        }
        guard let before = try landmarks.find(key: landmark) else {
            throw EngineError.corrupted("the landmark of row \(key.key) of \(key.name) is missing")
        }
        var merged = draft.merged(into: before.landmark, previous: try Self.draft(row.draft))
        if former != nil { merged.source?.key = key.key }
        if merged != before.landmark {
            _ = try write(merged, .changed, before: before, user: "", now: now)
        }
        if let former { try tables.sources.rename(former.key, to: key.key) }
        try tables.sources.update(key, RememberedRow(landmark: landmark, draft: encoded))
        if merged == before.landmark { return \.unchanged }
        return \.changed
    }

    /// Finds a row that was stored under another key. A row's key changes when another row with the same name appears
    /// in the source or vanishes from it. The stored row is the same row if its coordinate is the same.
    private func formerRow(_ draft: LandmarkDraft, _ key: SourceKey) throws -> (
        key: SourceKey, row: RememberedRow
    )? {
        guard let other = NameKey.other(than: key.key, of: draft) else { return nil }
        let former = SourceKey(name: key.name, key: other)
        guard let row = try tables.sources.find(former) else { return nil }
        return try Self.draft(row.draft).coordinate == draft.coordinate ? (former, row) : nil
    }

    /// Forgets a row that the source no longer has. Returns nil if no landmark was made from it, or a person removed it.
    private func drop(_ key: SourceKey, now: UInt64) throws -> Outcome? {
        guard let row = try tables.sources.find(key) else { return nil }
        guard let landmark = row.landmark else {
            try tables.sources.delete(key)
            return nil
        }
        guard let stored = try landmarks.find(key: landmark) else {
            throw EngineError.corrupted("the landmark of row \(key.key) of \(key.name) is missing")
        }
        // Notes belong to people, so a source cannot remove a landmark that has notes.
        guard stored.landmark.notes.isEmpty else { return \.kept }
        try erase(stored, user: "", now: now)
        try tables.sources.delete(key)
        return \.removed
    }

    private static func draft(_ bytes: [UInt8]) throws(EngineError) -> LandmarkDraft {
        do {
            return try LandmarkDraft(encoded: bytes)
        } catch {
            throw .corrupted("the draft of a source's row cannot be read")
        }
    }
}
