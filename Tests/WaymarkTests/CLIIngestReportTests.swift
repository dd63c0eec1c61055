// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Ingest
@testable import WaymarkCLI

@Suite("The report of an ingest", .inShortTurn)
struct CLIIngestReportTests {
    private static func text(
        _ report: IngestReport, isDry: Bool = false, showsAll: Bool = false, width: Int? = nil
    ) throws -> [String] {
        let out = MemorySink()
        let surroundings = Surroundings(environment: [:], out: out, err: MemorySink(), outWidth: width)
        try IngestReportPrinter(
            report: report, source: "places", format: "seed", isDryRun: isDry, showsAll: showsAll
        ).print(to: surroundings.output(.text, .never))
        return out.text.split(separator: "\n").map(String.init)
    }

    private static func nameless(_ count: Int) -> IngestReport {
        var report = IngestReport()
        report.rejected = (0..<count).map {
            RejectedRow(place: "locations[\($0)]", reason: "The row has no name.", common: "have no name")
        }
        report.rejected.append(
            RejectedRow(place: "locations[9] (x)", reason: "The latitude is no number: y.", common: "have a latitude"))
        return report
    }

    @Test func rowsOfOneSortStandUnderOneLineAndTheSummaryIsLast() throws {
        #expect(
            try Self.text(Self.nameless(1_746)) == [
                "rejected: 1,746 rows have no name", "  locations[0]: The row has no name.", "  locations[1]",
                "  locations[2]", "  …", "rejected: locations[9] (x): The latitude is no number: y.",
                "source places (seed): 0 added, 0 changed, 0 unchanged, 0 removed, 0 kept, 1,747 rejected",
            ])
        #expect(try Self.text(Self.nameless(1_746), showsAll: true).count == 1_748)
    }

    @Test func onATerminalTheSummaryTellsOnlyWhatThereIs() throws {
        var report = IngestReport()
        #expect(try Self.text(report, width: 80) == ["source places (seed): no rows"])
        (report.taken.unchanged, report.taken.removed) = (4_000, 2)
        #expect(try Self.text(report, width: 80) == ["source places (seed): 4,000 unchanged, 2 removed"])
    }

    @Test func manySortsAreNotAllShown() throws {
        var report = IngestReport()
        for sort in 0..<30 { report.notices.append(SourceNotice(place: "[\(sort)]", text: "Sort \(sort).")) }
        let lines = try Self.text(report)
        #expect(lines.count == 12 && lines[10] == "noticed: 20 rows for 20 other reasons: --all-rejected lists them")
    }

    @Test func aDryRunShowsRows() throws {
        var report = IngestReport()
        report.taken.added = 1
        report.taken.removed = 1
        report.examples = [
            IngestExample(
                outcome: .added, key: "7",
                draft: try LandmarkDraft(
                    name: "Bondi", coordinate: .init(latitude: -33.89, longitude: 151.27), kind: "beach")),
            IngestExample(outcome: .removed, key: "name:Manly"),
        ]
        let lines = try Self.text(report, isDry: true)
        #expect(lines[1].split(separator: " ").joined(separator: " ") == "would add Bondi -33.89,151.27 beach")
        #expect(lines[2].split(separator: " ").joined(separator: " ") == "would remove name:Manly")
        #expect(lines.last?.hasSuffix("a dry run, nothing was changed") == true)
    }

    @Test(
        arguments: [
            (FetchError.Reason.tooLarge(limit: 64 << 20, announced: 70 << 20), "--max-size 70"),
            (.tooLarge(limit: 9, announced: nil), "--max-size"), (.timedOut(.seconds(30)), "--fetch-timeout"),
        ])
    func aFailureNamesTheOptionThatHelps(reason: FetchError.Reason, option: String) throws {
        let failure = IngestFailure.explained(FetchError(location: try SourceLocation("a.json"), reason: reason))
        #expect(failure.code == "fetch_failed" && failure.message.contains(option))
    }

    @Test func aBodyThatIsRefusedNamesTheOptionThatHelps() {
        func message(_ error: SourceFormatError) -> String { IngestFailure.explained(error).message }
        #expect(message(.unpackedTooLarge(limit: 9)).contains("--max-size"))
        #expect(message(.partial("x")).contains("--accept-partial"))
        #expect(message(.noRows(path: "x", found: "y", lists: ["items"])).hasSuffix("Name the list with --rows items."))
        #expect(message(.unreadable(.empty)) == SourceFormatError.unreadable(.empty).description)
    }

    @Test func whatIsSaidWhenAPersonEndsIt() {
        #expect(IngestEnding.sentence(false, 0, of: nil) == "Nothing was changed.")
        #expect(
            IngestEnding.sentence(true, 1_500, of: 28_298)
                == "At least 1,500 of 28,298 rows are stored: ingest again to add the rest.")
    }

    @Test func theBarSaysThatItWaitsAndReads() throws {
        let err = MemorySink()
        let surroundings = Surroundings(environment: [:], out: MemorySink(), err: err, errWidth: 80)
        let output = surroundings.output(.text, .never)
        IngestWaiting(try SourceLocation("https://a.example/x"), output, ProgressBar(output, surroundings)).tick(12_000)
        #expect(err.text == "\r\u{1b}[Kwaiting for https://a.example/x, 12.0 s")
        #expect(ProgressBar.bar(nil, IngestWaiting.reading(3 << 20, for: 500), width: 80) == "reading 3.0 MiB, 500 ms")
    }

    @Test func sourcesFitEightyColumns() throws {
        let wire = WireSourceState.with {
            $0.source = String(repeating: "a", count: 64)
            $0.format = "mapping (rows beaches, name name, lat lat, lng lon, key id, kind =beach, link url)"
            $0.landmarks = 28_298
            $0.attempted = 1_772_357_400_000
            $0.attempts = 3
            $0.failures = 3
            $0.url = "https://example.com/a/very/long/address.json"
            $0.outcome.result = .failed
            $0.outcome.error = "The server cannot be reached: nobody listens there."
        }
        let state = SourceState(wire)
        #expect(state.formatWord == "mapping" && state.resultWords == "failed")
        let out = MemorySink()
        let surroundings = Surroundings(environment: [:], out: out, err: MemorySink(), outWidth: 80)
        try SourcesCommand.print([state], surroundings.output(.text, .never))
        let lines = out.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.allSatisfy { DisplayWidth.of($0) <= 80 })
        #expect(lines[1].contains("mapping     28,298") && lines[1].hasSuffix("failed"))
        let full = MemorySink()
        let plain = Surroundings(environment: [:], out: full, err: MemorySink())
        try plain.output(.text, .never).block("source \(state.source)", state.fields)
        #expect(full.text.hasPrefix("source \(state.source)\n  address    \(state.url)\n"))
        for text in [state.format, state.error] { #expect(full.text.contains(text)) }
    }
}
