// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

@testable import WaymarkCLI

@Suite("Opening hours on the command line", .inShortTurn)
struct CLIOpeningTests {
    /// Monday, 2026-11-23, 10:00 in Sydney.
    private static let monday: UInt64 = 1_795_388_400_000
    private static let hour: UInt64 = 3_600_000

    private static func opening(
        _ state: WireOpening.State, after hours: UInt64?, comment: String? = nil
    ) throws -> Opening {
        let until = hours.map { monday + $0 * hour }
        let wire = WireOpening.with {
            ($0.state, $0.until, $0.offset) = (state, until ?? 0, 39_600)
            ($0.zone, $0.zoneAssumed, $0.comment) = ("Australia/Sydney", true, comment ?? "")
        }
        return try Opening(encoded: wire.encoded)
    }

    @Test(
        arguments: [
            (WireOpening.State.open, 7, nil, "open until 17:00"), (.open, 14, nil, "open until 24:00"),
            (.closed, 23, nil, "closed until Tue 09:00"), (.closed, 143, nil, "closed until Sun 09:00"),
            (.closed, 24 * 31, nil, "closed until 2026-12-24 10:00"), (.open, nil, nil, "open"),
            (.unknown, 7, nil, "hours unknown"), (.unknown, nil, "by appointment", "hours unknown (by appointment)"),
            (.closed, 15, "tours", "closed until Tue 01:00 (tours)"),
        ] as [(WireOpening.State, UInt64?, String?, String)])
    func text(state: WireOpening.State, hours: UInt64?, comment: String?, wanted: String) throws {
        let opening = try Self.opening(state, after: hours, comment: comment)
        #expect(OpeningText.of(opening, at: Self.monday) == wanted)
    }

    @Test("the first moments of 1970 are text too")
    func early() throws {
        let wire = WireOpening.with { ($0.state, $0.until, $0.zone) = (.open, 1, "Etc/UTC") }
        let opening = try Opening(encoded: wire.encoded)
        #expect(OpeningText.of(opening, at: Self.monday) == "open until 1970-01-01 00:00")
    }

    private static func hit(_ opening: Opening?) throws -> Hit {
        Hit(landmark: try exampleLandmark(), distance: 1, bearing: 2, opening: opening)
    }

    private static func printed(_ hits: [Hit], openingAt moment: UInt64?, as form: HitForm) throws -> (String, String) {
        let (out, err) = (MemorySink(), MemorySink())
        let surroundings = Surroundings(environment: [:], out: out, err: err)
        let output = surroundings.output(form == .text ? .text : .json, .never)
        var printer = HitPrinter(output, as: form, isMeasured: true)
        try printer.print(hits, openingAt: moment)
        try printer.finish(cursor: nil, showsCursor: false)
        return (out.text, err.text)
    }

    @Test func aTableHasAColumnWhereALandmarkHasHours() throws {
        let none = try Self.printed([Self.hit(nil)], openingAt: Self.monday, as: .text)
        #expect(!none.0.contains("HOURS") && none.1.isEmpty)
        let hits = [try Self.hit(nil), try Self.hit(Self.opening(.open, after: 7))]
        let lines = try Self.printed(hits, openingAt: Self.monday, as: .text)
        let rows = lines.0.split(separator: "\n")
        #expect(rows[0].contains("NAME") && rows[0].contains("HOURS             KIND"))
        #expect(rows[1].contains("-                 pool") && rows[2].contains("open until 17:00  pool"))
        #expect(lines.1 == "Opening hours are read in an assumed time zone: Australia/Sydney.\n")
    }

    @Test func asJSONOnlyWhenAsked() throws {
        let hit = try Self.hit(Self.opening(.open, after: 7))
        #expect(try !Self.printed([hit], openingAt: nil, as: .json).0.contains("opening\""))
        let asked = try Self.printed([hit, Self.hit(nil)], openingAt: Self.monday, as: .json).0
        #expect(
            asked.contains(
                """
                "opening":{"state":"open","until":"2026-11-23T06:00:00.000Z","until_local":"2026-11-23T17:00",\
                "zone":"Australia/Sydney","zone_assumed":true,"comment":null}}
                """))
        #expect(asked.contains(#""opening":null}"#))
        #expect(try Self.printed([hit], openingAt: Self.monday, as: .geojson).0.contains(#""opening":{"state":"open""#))
    }

    @Test func whatIsAsked() async throws {
        func question(_ arguments: String...) throws -> OpeningQuestion? {
            let near = try #require(try WaymarkTool.parse(["near", "1,2"] + arguments) as? NearCommand)
            return near.finding.opening(near.printing.output)
        }
        #expect(try question() == OpeningQuestion() && question("-o", "json") == nil)
        #expect(try question("-o", "json", "--hours") == OpeningQuestion())
        #expect(try question("--open", "-o", "json") == OpeningQuestion(isFilter: true))
        #expect(
            try question("--open-at", "2026-11-23T10:00:00+11:00") == OpeningQuestion(at: Self.monday, isFilter: true))
        for refused in [
            ["--open-at", "10:00"], ["--open", "--open-at", "2026-11-23T10:00:00Z"],
            ["--rank", "best", "--radius", "5km"],
        ] {
            #expect(throws: (any Error).self, "\(refused)") { try WaymarkTool.parse(["near", "1,2"] + refused) }
        }
        // Refused when it runs, because a radius may be among the preferences.
        for radius in [[], ["--radius", "50km"]] {
            let (out, err) = (MemorySink(), MemorySink())
            let status = await WaymarkTool.run(
                ["near", "1,2", "--rank", "prominence"] + radius, in: Surroundings(environment: [:], out: out, err: err)
            )
            #expect(status == 2 && err.text.contains("within a radius of up to 48280m"))
        }
        let ranked = try WaymarkTool.parse(["near", "1,2", "--rank", "prominence", "--radius", "30mi"])
        #expect((ranked as? NearCommand)?.rank == .prominence)
    }
}
