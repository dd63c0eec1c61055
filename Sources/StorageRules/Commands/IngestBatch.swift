// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The rows of one source in one request.
package struct IngestBatch: Hashable, Sendable {
    package struct AcceptedRow: Hashable, Sendable {
        /// The row's index in the request.
        var place: UInt32
        package var key: String
        var draft: LandmarkDraft
    }

    struct Rejection: Hashable, Sendable {
        var place: UInt32
        var reason: String
    }

    package var source: String
    /// Accepted rows, at most one for each key.
    package var rows: [AcceptedRow]
    /// Rows that break a rule.
    var rejected: [Rejection]
    /// Keys that the source no longer has; no row of `rows` has one of them.
    package var vanished: [String]
    /// Whether to count changes without making any.
    var isDryRun: Bool

    /// Whether the batch has no rows and no vanished keys. A source without rows is then forgotten.
    var isEmpty: Bool { rows.isEmpty && rejected.isEmpty && vanished.isEmpty }
}

extension IngestBatch {
    /// Rejects each row that breaks a rule, and accepts the others. Of several rows with one key the first is accepted.
    /// A key that has a row does not count as vanished.
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
                guard row.hasDraft else { throw InvalidInput.missing("a draft of the landmark") }
                let draft = try LandmarkDraft(row.draft)
                if keys.insert(key).inserted {
                    rows.append(AcceptedRow(place: place, key: key, draft: draft))
                } else {
                    rejected.append(
                        Rejection(place: place, reason: "Another row has the same key: only the first one is used."))
                }
            } catch let error as InvalidInput {
                rejected.append(Rejection(place: place, reason: error.description))
            }
        }
        vanished = []
        for key in wire.vanished {
            let key = try LandmarkRules.sourceKey(key)
            if keys.insert(key).inserted { vanished.append(key) }
        }
    }
}
