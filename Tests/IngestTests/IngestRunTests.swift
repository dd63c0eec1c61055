// SPDX-License-Identifier: Apache-2.0

import Ingest
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

/// Stands in for storage, with the rows of one source.
private struct Stored {
    var names: [String: String] = [:]
    var requests = 0

    mutating func answer(_ request: WireRequest) -> WireReply {
        requests += 1
        var reply = WireReply()
        switch request.command {
        case .ingest(let ingest):
            var counts = WireIngestCounts()
            for row in ingest.rows {
                let name = (try? LandmarkDraft(encoded: row.draft))?.name ?? ""
                switch names[row.key] {
                case nil: counts.added += 1
                case name: counts.unchanged += 1
                default: counts.changed += 1
                }
                if !ingest.dryRun { names[row.key] = name }
            }
            for key in ingest.vanished where names[key] != nil {
                counts.removed += 1
                if !ingest.dryRun { names[key] = nil }
            }
            reply.ingest.counts = counts
        case .sourceKeys(let page):
            let rest = names.keys.sorted().filter { $0 > page.after }
            let limit = page.limit == 0 ? 5_000 : Int(page.limit)
            reply.sourceKeys.keys = Array(rest.prefix(limit))
            reply.sourceKeys.more = rest.count > limit
        default: Issue.record("Nothing else is asked.")
        }
        return reply
    }
}

@Suite(.computing)
struct IngestRunTests {
    private func rows(_ names: [(key: Int, name: String)], isPartial: Bool = false) throws -> SourceRows {
        let rows = names.map { #"{"id": \#($0.key), "name": "\#($0.name)", "lat": 1, "lng": 2}"# }
        var read = try SourceFormat.seed.rows(in: "{\"locations\": [\(rows.joined(separator: ","))]}")
        read.brokeOff = isPartial ? "out of memory" : nil
        return read
    }

    private func run(
        _ stored: inout Stored, _ rows: SourceRows, _ vanished: VanishedPolicy = .keep, isDry: Bool = false
    )
        async -> IngestReport
    {
        let storage = Recorder<Void>()
        var now = stored
        let report = await IngestRun(source: "s", rows: rows, vanished: vanished, isDryRun: isDry).run { request in
            storage.add(())
            return now.answer(request)
        }
        stored = now
        return report
    }

    @Test("rows with long texts go in requests that a frame of the bus holds")
    func wordyRows() async throws {
        var read = try rows((0..<900).map { ($0, "place \($0)") })
        for index in read.rows.indices {
            read.rows[index].draft.openingHours = String(repeating: "𝕒", count: 1_000)
            read.rows[index].draft.address = String(repeating: "𝕒", count: 400)
        }
        let sizes = Recorder<Int>()
        var stored = Stored()
        let report = await IngestRun(source: "s", rows: read, vanished: .keep).run { request in
            sizes.add((try? request.serializedBytes() as [UInt8])?.count ?? .max)
            return stored.answer(request)
        }
        #expect(report.taken.added == 900)
        #expect(sizes.all.reduce(0, +) > WaymarkProtocol.messageBytes)
        #expect(sizes.all.allSatisfy { $0 <= WaymarkProtocol.messageBytes / 2 })
    }

    @Test func countsThatNoSourceCanHaveAreNotAddedUp() async throws {
        let rows = try rows((0..<1_200).map { ($0, "place \($0)") })
        let report = await IngestRun(source: "s", rows: rows, vanished: .keep, isDryRun: false).run { _ in
            .with { $0.ingest.counts = .with { ($0.added, $0.changed, $0.kept) = (.max, .max, 3) } }
        }
        #expect(report.taken.added == 3 << 40 && report.taken.changed == 3 << 40 && report.taken.kept == 9)
    }

    @Test func aDryRunShowsAFewRowsOfEachSort() async throws {
        var stored = Stored()
        _ = await run(&stored, try rows((0..<1_200).map { ($0, "place \($0)") }))
        var names = (0..<1_200).map { ($0, "place \($0)") }
        for changed in [7, 501, 502, 1_100] { names[changed].1 = "moved \(changed)" }
        names.removeSubrange(20..<22)
        names.insert((5_000, "new"), at: 600)
        stored.requests = 0
        let report = await run(&stored, try rows(names), .remove, isDry: true)
        #expect((report.taken.added, report.taken.changed, report.taken.removed) == (1, 4, 2))
        let shown = report.examples.map { "\($0.outcome) \($0.key) \($0.draft?.name ?? "-")" }
        #expect(
            shown.sorted() == [
                "added 5000 new", "changed 501 moved 501", "changed 502 moved 502", "changed 7 moved 7",
                "removed 20 -", "removed 21 -",
            ])
        // The requests: three batches, the keys, what vanished, and the halves of two batches.
        #expect(stored.requests < 60, "\(stored.requests)")
        #expect(stored.names.count == 1_200, "nothing was changed")
    }

    @Test func whereAllRowsAreNewTheFirstFewAreShownWithoutAsking() async throws {
        var stored = Stored()
        let report = await run(&stored, try rows((0..<400).map { ($0, "place \($0)") }), isDry: true)
        #expect(report.examples.map(\.key) == ["0", "1", "2"] && report.examples.allSatisfy { $0.outcome == .added })
        #expect(stored.requests == 2)
    }

    @Test func whatIsMissingFromAnAnswerThatBrokeOffHasNotVanished() async throws {
        var stored = Stored()
        _ = await run(&stored, try rows([(1, "A"), (2, "B")]))
        let report = await run(&stored, try rows([(1, "A")], isPartial: true), .remove)
        #expect((report.taken.removed, report.taken.kept) == (0, 1) && stored.names.count == 2)
        #expect(report.notices.map(\.text) == ["The source's answer broke off: nothing was removed."])
        let whole = await run(&stored, try rows([(1, "A")]), .remove)
        #expect(whole.taken.removed == 1 && stored.names.count == 1)
    }
}
