// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import WaymarkProtocol

/// A row of a dry run, and what a real run would do with it.
public struct IngestExample: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case added, changed
        /// The row has vanished from the source, so its landmark is removed, unless the landmark has notes.
        case removed
    }

    /// The number of examples that are searched for each outcome.
    public static let few = 3

    public var outcome: Outcome
    public var key: String
    /// The row in the source; nil if it has vanished from the source.
    public var draft: LandmarkDraft?
}

extension IngestRun {
    /// Finds the first few rows of a batch that would be added or changed.
    ///
    /// Storage answers only with counts. A dry run can be repeated, so a batch is halved until the rows are found. That
    /// needs few requests for each row, and no additional message in the protocol.
    ///
    /// - Parameter found: the examples from earlier batches. Each outcome is searched until it has enough examples.
    func examples<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, in batch: Range<Int>, _ reply: WireReply,
        besides found: [IngestExample], _ send: (WireRequest) async throws(Failure) -> WireReply
    ) async throws(Failure) -> [IngestExample] {
        var examples: [IngestExample] = []
        for outcome in [IngestExample.Outcome.added, .changed] {
            var wanted = IngestExample.few - found.count { $0.outcome == outcome }
            // `parts` is a stack: its last element contains the first rows.
            var parts = [(rows: batch, count: Self.count(outcome, reply))]
            while wanted > 0, let part = parts.popLast() {
                if part.count == 0 { continue }
                if part.count == part.rows.count {
                    for row in rows.rows[part.rows].prefix(wanted) {
                        examples.append(IngestExample(outcome: outcome, key: row.key, draft: row.draft))
                        wanted -= 1
                    }
                    continue
                }
                let middle = part.rows.lowerBound + part.rows.count / 2
                let first = part.rows.lowerBound..<middle
                // Others may write meanwhile, so the counts of the halves may differ from that of the whole: limit
                // them.
                let count = min(Self.count(outcome, try await send(request(first))), first.count, part.count)
                parts.append((middle..<part.rows.upperBound, min(part.count - count, part.rows.count - first.count)))
                parts.append((first, count))
            }
        }
        return examples
    }

    private static func count(_ outcome: IngestExample.Outcome, _ reply: WireReply) -> Int {
        guard case .ingest(let done)? = reply.result else { return 0 }
        return Int(clamping: outcome == .added ? done.counts.added : done.counts.changed)
    }
}
