// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import WaymarkProtocol

/// One of the rows of a dry run, and what would become of it.
public struct IngestExample: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case added, changed
        /// Vanished from the source; it stays all the same if people have written on it.
        case removed
    }

    /// How many of each outcome are looked for.
    public static let few = 3

    public var outcome: Outcome
    public var key: String
    /// As the source has it now; nil when it has it no more.
    public var draft: LandmarkDraft?

    public init(outcome: Outcome, key: String, draft: LandmarkDraft? = nil) {
        (self.outcome, self.key, self.draft) = (outcome, key, draft)
    }
}

extension IngestRun {
    /// The first few rows of a batch that would be added, and that would be changed.
    ///
    /// Storage counts and names none. A dry run can be asked for again in halves, so each row costs a handful of
    /// requests, and the protocol needs no message for it.
    ///
    /// - Parameter found: of earlier batches, which are enough when they have a few of each.
    func examples<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, in batch: Range<Int>, _ reply: WireReply,
        besides found: [IngestExample], _ send: (WireRequest) async throws(Failure) -> WireReply
    ) async throws(Failure) -> [IngestExample] {
        var examples: [IngestExample] = []
        for outcome in [IngestExample.Outcome.added, .changed] {
            var wanted = IngestExample.few - found.count { $0.outcome == outcome }
            // The part that begins first stands last.
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
                // Others write meanwhile: what the halves say need not add up.
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
