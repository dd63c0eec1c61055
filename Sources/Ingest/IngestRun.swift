// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf
import WaymarkProtocol

/// The treatment of landmarks whose rows have vanished from the source.
public enum VanishedPolicy: String, Hashable, Sendable, CaseIterable {
    case keep
    /// Removes these landmarks, except those that have notes.
    case remove
}

/// The result of an ingest.
public struct IngestReport: Hashable, Sendable {
    /// The outcomes of the rows that were not rejected. `kept` is the number of landmarks whose rows have vanished from
    /// the source, but that were kept.
    package var taken = WireIngestCounts()
    public var rejected: [RejectedRow] = []
    public var notices: [SourceNotice] = []
    /// A few examples of rows for each outcome; only in a dry run.
    public var examples: [IngestExample] = []
    /// The last revision that the ingest wrote; 0 if it wrote none.
    public var rev: UInt64 = 0

    /// Whether the source has rows but all of them were rejected. The usual cause is a mistyped field name.
    public var isAllRejected: Bool { taken.added + taken.changed + taken.unchanged == 0 && !rejected.isEmpty }

    package var counts: WireIngestCounts {
        var counts = taken
        counts.rejected = UInt64(rejected.count)
        return counts
    }
}

/// One ingest of one source. It sends the rows to storage in requests of limited size, then the keys of vanished rows.
public struct IngestRun: Sendable {
    /// The maximum number of rows in one request, low enough that the transaction does not delay other requests for
    /// long.
    static let rowsPerRequest = 500
    /// The maximum size of the encoded rows in one request, because the lengths of texts vary. One row may exceed it.
    static let bytesPerRequest = WaymarkProtocol.messageBytes / 2

    public let source: String
    public let rows: SourceRows
    public let vanished: VanishedPolicy
    public let isDryRun: Bool

    public init(source: String, rows: SourceRows, vanished: VanishedPolicy, isDryRun: Bool = false) {
        (self.source, self.rows, self.vanished, self.isDryRun) = (source, rows, vanished, isDryRun)
    }

    /// - Parameters:
    ///   - send: sends a request to storage and returns the answer.
    ///   - progress: called with the number of rows done so far, and the number of all rows.
    /// - Throws: any error of `send`. What earlier requests wrote stays, and another run completes the rest.
    package func run<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        send: (WireRequest) async throws(Failure) -> WireReply, progress: (Int, Int) -> Void = { _, _ in }
    ) async throws(Failure) -> IngestReport {
        var report = IngestReport(rows)
        var done = 0
        for batch in batches() {
            let reply = try await send(request(batch))
            report.add(reply, rows: rows.rows[batch])
            if isDryRun { report.examples += try await examples(in: batch, reply, besides: report.examples, send) }
            done += batch.count
            progress(done, rows.rows.count)
        }
        let known = await KnownRows.of(rows, isDryRun: isDryRun)
        let gone = try await vanishedKeys(known, send)
        guard vanished == .remove, !rows.rows.isEmpty, rows.brokeOff == nil, !known.mayBeAnything else {
            report.taken.kept += UInt64(gone.count)
            if vanished == .remove, !gone.isEmpty {
                // A source that loses all its rows at once is probably broken instead of empty.
                let why = rows.rows.isEmpty ? "The source has no rows" : "The source's answer broke off"
                let text =
                    known.mayBeAnything
                    ? "\(gone.count) landmarks are no longer in the source but were kept, because they may be among "
                        + "the rejected rows without id and name."
                    : "\(why): nothing was removed."
                report.notices.append(SourceNotice(place: "", text: text))
            }
            return report
        }
        if isDryRun {
            report.examples += gone.prefix(IngestExample.few).map { IngestExample(outcome: .removed, key: $0) }
        }
        for start in stride(from: 0, to: gone.count, by: Self.rowsPerRequest) {
            let keys = Array(gone[start..<min(gone.count, start + Self.rowsPerRequest)])
            report.add(try await send(request(vanished: keys)), rows: [])
        }
        return report
    }

    func request(_ batch: Range<Int>) -> WireRequest {
        request(rows: rows.rows[batch].map { row in .with { ($0.key, $0.draft) = (row.key, Data(row.draft.encoded)) } })
    }

    private func request(rows: [WireSourceRow] = [], vanished: [String] = []) -> WireRequest {
        .with {
            $0.ingest = .with {
                $0.source = source
                $0.dryRun = isDryRun
                $0.rows = rows
                $0.vanished = vanished
            }
        }
    }

    private func batches() -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var bytes = 0
        for (index, row) in rows.rows.enumerated() {
            // Measure the encoded draft, so that no attribute is forgotten, and add the tags and lengths of the row.
            let size = row.draft.encoded.count + row.key.utf8.count + 16
            if index - start == Self.rowsPerRequest || bytes + size > Self.bytesPerRequest {
                batches.append(start..<index)
                (start, bytes) = (index, 0)
            }
            bytes += size
        }
        if start < rows.rows.count { batches.append(start..<rows.rows.count) }
        return batches
    }

    /// Returns the keys that storage has for this source, but that no row of the body has.
    private func vanishedKeys<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ known: KnownRows,
        _ send: (WireRequest) async throws(Failure) -> WireReply
    ) async throws(Failure) -> [String] {
        var gone: [String] = []
        var after = ""
        while true {
            let cursor = after
            let reply = try await send(
                .with {
                    $0.sourceKeys = .with {
                        $0.source = source
                        $0.after = cursor
                    }
                })
            guard case .sourceKeys(let page)? = reply.result, let last = page.keys.last else { return gone }
            gone += page.keys.filter { !known.may(be: $0) }
            guard page.more else { return gone }
            after = last
        }
    }
}

extension IngestReport {
    /// Makes the report of an ingest that has not sent anything yet.
    public init(_ rows: SourceRows) { self.init(rejected: rows.rejected, notices: rows.notices) }

    fileprivate mutating func add(_ reply: WireReply, rows: ArraySlice<SourceRow>) {
        guard case .ingest(let done)? = reply.result else { return }
        let counts = done.counts.bounded
        taken.added += counts.added
        taken.changed += counts.changed
        taken.unchanged += counts.unchanged
        taken.removed += counts.removed
        taken.kept += counts.kept
        rev = max(rev, done.rev)
        for refusal in done.rejected {
            let row = rows.dropFirst(Int(refusal.row)).first
            rejected.append(
                RejectedRow(
                    place: row.map { "row \($0.key)" } ?? "row \(refusal.row)", reason: refusal.reason, key: row?.key))
        }
    }
}
