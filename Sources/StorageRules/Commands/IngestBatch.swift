// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The rows of one source that one request brings.
package struct IngestBatch: Hashable, Sendable {
    package struct AcceptedRow: Hashable, Sendable {
        /// The row's index among the rows of the request.
        var place: UInt32
        package var key: String
        var draft: LandmarkDraft
    }

    package var source: String
    /// The accepted rows, at most one for each key.
    package var rows: [AcceptedRow]
    /// The rows that break a rule.
    var rejected: [WireRejectedRow]
    /// The keys that the source no longer has. None of them is the key of a row in `rows`.
    package var vanished: [String]
    /// Whether to count the changes without making them.
    var isDryRun: Bool

    /// Whether the batch has no rows and no vanished keys. Storage then forgets the source if no row of it is stored.
    var isEmpty: Bool { rows.isEmpty && rejected.isEmpty && vanished.isEmpty }
}

extension IngestBatch {
    /// Rejects each row that breaks a rule, and accepts the others. If several rows have the same key, accepts the
    /// first. If a vanished key has a row, ignores that the key vanished.
    init(_ wire: WireIngest) throws {
        let limit = WaymarkProtocol.ingestRows
        guard wire.rows.count + wire.vanished.count <= limit else {
            throw ServiceError(.tooLarge, "One ingest request takes up to \(limit) rows: send the rest in another.")
        }
        source = try LandmarkRules.source(wire.source)
        isDryRun = wire.dryRun
        rows = []
        rejected = []
        var keys: Set<String> = []
        for (place, row) in zip(UInt32(0)..., wire.rows) {
            do {
                let key = try LandmarkRules.sourceKey(row.key)
                guard !row.draft.isEmpty else { throw InvalidInput.missing("a draft of the landmark") }
                let draft = try LandmarkDraft(encoded: row.draft)
                if keys.insert(key).inserted {
                    rows.append(AcceptedRow(place: place, key: key, draft: draft))
                } else {
                    rejected.append(WireRejectedRow(place, "Another row has the same key: only the first one is used."))
                }
            } catch let error as InvalidInput {
                rejected.append(WireRejectedRow(place, error.description))
            }
        }
        vanished = []
        for key in wire.vanished {
            let key = try LandmarkRules.sourceKey(key)
            if keys.insert(key).inserted { vanished.append(key) }
        }
    }
}

extension WireRejectedRow {
    init(_ place: UInt32, _ reason: String) { self = .with { ($0.row, $0.reason) = (place, reason) } }
}
