// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import WaymarkProtocol

/// A row in a dry run, with the outcome that it would have.
public struct IngestExample: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case added, changed
        /// The row has vanished from the source. Storage keeps its landmark anyway if it has notes.
        case removed
    }

    /// The number of examples to find for each outcome.
    public static let few = 3

    public var outcome: Outcome
    public var key: String
    /// The row in the source; nil if it has vanished from there.
    public var draft: LandmarkDraft?
}

extension IngestRun {
    /// Finds the first few rows of a batch that would be added or changed.
    ///
    /// Storage answers with counts only. A dry run may be repeated, so a batch is halved until the rows are found. That
    /// costs few requests for each row, and needs no message in the protocol.
    ///
    /// - Parameter found: the examples from earlier batches. No more are sought once each outcome has enough.
    func examples<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, in batch: Range<Int>, _ reply: WireReply,
        besides found: [IngestExample], _ send: (WireRequest) async throws(Failure) -> WireReply
    ) async throws(Failure) -> [IngestExample] {
        var examples: [IngestExample] = []
        for outcome in [IngestExample.Outcome.added, .changed] {
            var wanted = IngestExample.few - found.count { $0.outcome == outcome }
            // `parts` is a stack: the part with the first rows is at the end.
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
                // Others may write meanwhile, so the counts of the halves need not add up: bound them.
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
