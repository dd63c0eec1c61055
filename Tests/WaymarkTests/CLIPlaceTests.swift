// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("Places by name and by position, without a service", .inTurn)
struct CLIPlaceTests {
    /// Nothing listens there: it is no address of a query service.
    private static let nobody = "ipc:///nonexistent/waymark-query"

    @Test func aTownIsFoundWithoutAService() async throws {
        let found = await tool("geocode", "patiala", "punjab", "--connect", Self.nobody, "--limit", "1")
        #expect(found.status == 0, "\(found.err)")
        #expect(found.out.contains("Patiāla, Punjab, India"))
        #expect(found.err.contains("Landmarks were not searched"))
        #expect(found.err.contains("GeoNames"))
        let json = await tool("geocode", "Sydney, NSW", "--connect", Self.nobody, "--limit", "1", "-o", "json")
        #expect(json.out.contains(#""label":"Sydney, New South Wales, Australia""#), "\(json.out)")
        #expect(json.out.contains("GeoNames"))
        #expect(json.err.contains("landmarks_not_searched"))
    }

    @Test func withoutAServiceNothingIsFoundIsNotSaid() async throws {
        let lost = await tool("geocode", "qzqzqzqz", "--connect", Self.nobody)
        #expect(lost.status == 3, "\(lost.err)")
        #expect(lost.out.isEmpty)
    }

    @Test func whereAPositionIs() async throws {
        let house = await tool("where", "-33.8568,151.2153")
        #expect(house.status == 0, "\(house.err)")
        #expect(house.out.contains("Sydney, New South Wales, Australia"))
        #expect(house.out.contains("-33.8568,151.2153  33°51'24.5\"S 151°12'55.1\"E"))
        #expect(house.err.contains("GeoNames"))
        let json = await tool("where", "33°51'24\"S 151°12'55\"E", "-o", "json")
        #expect(json.out.contains(#""zone":"Australia/Sydney""#), "\(json.out)")
        let ocean = await tool("where", "-48.9,-123.4")
        #expect(ocean.status == 8)
        #expect(ocean.err.contains("No town that the gazetteer knows is within 500 km."))
        #expect(await tool("where").status == 2)
        let town = await tool("where", "Sydney")
        #expect(town.status == 0 && town.out.contains("Sydney, New South Wales, Australia"), "\(town.err)")
        #expect(await tool("where", "12").status == 2)
    }

    @Test func eachPositionOfStdinIsAnswered() async throws {
        let (out, err) = (MemorySink(), MemorySink())
        var surroundings = Surroundings(environment: [:], out: out, err: err)
        surroundings.readLine = stdinLines(["-33.8568,151.2153", "", "x", "48.137,11.575"])
        #expect(await WaymarkTool.run(["where", "--follow-position"], in: surroundings) == 0)
        #expect(out.text.contains("Sydney"))
        #expect(out.text.contains("Munich"))
        #expect(err.text.contains("\"x\" is skipped"))
    }

    @Test func aTownStandsForAPosition() throws {
        let (out, err) = (MemorySink(), MemorySink())
        var surroundings = Surroundings(environment: [:], out: out, err: err)
        let output = surroundings.output(.text, .never)
        let patiala = try PlaceWords.coordinate("Patiala, Punjab", output, surroundings)
        #expect(abs(patiala.latitude - 30.336) < 0.01)
        #expect(err.text.contains("\"Patiala, Punjab\" is taken as Patiāla, Punjab, India at 30.33"))
        #expect(err.text.contains("GeoNames"))

        // Several are meant: refused without a terminal, asked on one.
        let unclear = #expect(throws: Failure.self) { try PlaceWords.coordinate("Springfield", output, surroundings) }
        #expect(unclear?.code == "ambiguous")
        #expect(unclear?.message.contains("Springfield, Missouri, United States") == true)
        surroundings.ask = { _ in " 2 " }
        let second = try PlaceWords.coordinate("Springfield", output, surroundings)
        #expect(unclear?.message.contains(Figures.position(second)) == true)
        for answer in ["", "0", "9", "y"] {
            surroundings.ask = { _ in answer }
            let stopped = #expect(throws: Failure.self) {
                try PlaceWords.coordinate("Springfield", output, surroundings)
            }
            #expect(stopped?.code == "not_confirmed")
        }

        let nothing = #expect(throws: Failure.self) { try PlaceWords.coordinate("Qzqzqzqz", output, surroundings) }
        #expect(nothing?.status == .placeNotFound)
        surroundings.environment = ["WAYMARK_GAZETTEER": "/nonexistent"]
        let file = #expect(throws: Failure.self) { try PlaceWords.coordinate("Sydney", output, surroundings) }
        #expect(file?.code == "gazetteer")
    }

    @Test func aMixFileNamesATown() throws {
        let surroundings = Surroundings(environment: [:], out: MemorySink(), err: MemorySink())
        let mix = try MixFile(
            "- operation: near\n  around: Sydney\n- operation: write\n  around: -33.8,151.2\n- operation: search\n  text: a",
            path: "mix.yaml")
        let positions = try mix.positions(surroundings.output(.text, .never))
        #expect(positions.count == 2)
        #expect(positions[.town("Sydney")].map { abs($0.latitude + 33.87) < 0.05 } == true)
        #expect(mix.operations(seed: 1, at: positions).count == 3)
        // Reports of earlier releases have the same text, and can be compared with.
        let point = try Coordinate(latitude: -33.8, longitude: 151.2)
        let place = "around: Optional(\(String(reflecting: point)))"
        #expect(
            mix.summary == "near(limit: 20, radius: nil, around: Optional(\"Sydney\")) 1.0; write(\(place)) 1.0; "
                + "search(texts: [\"a\"], limit: 20) 1.0")
    }

    @Test(
        "an invalid operation of a mix is refused with its line",
        arguments: [
            ("near\n  limit: 5000", 2, "it is at most"), ("near\n  limit: 1\n  radius: x", 3, "--radius"),
            ("near\n  limit: [1, 2]", 2, "single value"), ("search\n  text: [a, \"\"]", 2, "--text"),
            ("search\n  text: \(String(repeating: "x", count: 5_000))", 2, "--text has 1 to"),
            ("write\n  limit: 5", 2, "no such option"), ("near\n  embedded: true", 2, "no such option"),
            ("near\n  weight: x", 2, "above 0"), ("fly", 1, "near, search, write or ingest"),
        ])
    func aMixFileIsRefused(_ text: String, _ line: Int, _ reason: String) {
        let error = #expect(throws: BadValue.self) { try MixFile("- operation: \(text)\n", path: "mix.yaml") }
        let problem = error?.description ?? ""
        #expect(problem.hasPrefix("mix.yaml, line \(line) cannot be used: ") && problem.contains(reason), "\(problem)")
    }

    @Test(arguments: ["-33.8", "33°51'24\"S", "1 N 2 E", "", "ab 12 cd", "geo:abc"])
    func whatIsNoName(_ text: String) {
        #expect(!PlaceWords.isPlace(text))
    }

    @Test func aMistypedPositionIsStillOne() async throws {
        let wrong = await tool("add", "x", "91,0", "--as", "ann", "--connect", Self.nobody)
        #expect(wrong.status == 2)
        #expect(wrong.err.contains("latitude 91 is not within"))
    }
}
