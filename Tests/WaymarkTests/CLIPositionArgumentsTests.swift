// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("Arguments that begin with a minus sign", .inShortTurn)
struct CLIPositionArgumentsTests {
    @Test(arguments: [
        "-33.8568,151.2153", "-33,-151", "-.5,.5", "-0,0", "-33.8568, 151.2153", "-1e1,+2", "-91,500",
        "-34,151,-33,152", "-33.8568", "-33,151,5", "-1,2,3,4,5", "-33,", "-33,151 ,", "-33°51'24\"S",
        "-33.5,\u{a0}151.5", "-33.5,−151.5", "-1;2",
    ])
    func positionIsProtected(_ text: String) {
        #expect(PositionArguments.protected(["near", text]) == ["near", " " + text])
        #expect(PositionArguments.protected(["edit", "--at", text]) == ["edit", "--at", " " + text])
    }

    @Test(
        arguments: [
            "33.8568,151.2153", "--at=-33,151", "-o", "-", "--", "-,5", "-a,5", "-33,b", "-inf,3", "-nan,3", "-0x1p3,4",
            "- 3,4", "-5.json", "",
        ])
    func othersAreLeftAlone(_ text: String) {
        #expect(PositionArguments.protected(["near", text]) == ["near", text])
    }

    @Test func nothingIsChangedAfterTwoDashes() {
        #expect(PositionArguments.protected(["-1,2", "--", "-1,2"]) == [" -1,2", "--", "-1,2"])
    }

    @Test func aPositionInTwoArgumentsIsOne() {
        #expect(PositionArguments.protected(["list", "--near", "-1", "2"]) == ["list", "--near", " -1,2"])
        #expect(PositionArguments.protected(["x", "--at", "1S", "2E", "3"]) == ["x", "--at", "1S,2E", "3"])
        #expect(PositionArguments.protected(["--near", "1,2", "3"]) == ["--near", "1,2", "3"])
        #expect(PositionArguments.protected(["--limit", "1", "2"]) == ["--limit", "1", "2"])
    }

    @Test func messagesQuoteWhatWasTyped() {
        #expect(PositionArguments.restored("The value ' -91,2' is invalid") == "The value '-91,2' is invalid")
    }

    @Test func everyPlaceForAPositionTakesOne() throws {
        func parsed<Command>(_ type: Command.Type, _ arguments: String...) throws -> Command {
            let command = try WaymarkTool.parse(arguments)
            return try #require(command as? Command)
        }
        let id = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"
        let harbour = try Coordinate(latitude: -33.8, longitude: 151.2)
        let located = { (words: [String]) in
            guard case .point(let point) = try Location(words: words) else { throw BadValue("a town") }
            return point
        }
        #expect(try located(parsed(NearCommand.self, "near", "-33.8568,151.2153").words).latitude == -33.8568)
        #expect(try located(parsed(NearCommand.self, "near", "-33.8568", "151.2153").words).latitude == -33.8568)
        #expect(try located(parsed(NearCommand.self, "near", "33°51'S", "151°12'E").words).longitude == 151.2)
        #expect(try located(parsed(NearCommand.self, "near", "-33.5", "-151", "--limit", "3").words).longitude == -151)
        #expect(try parsed(ListCommand.self, "list", "--near", "-33.8", "151.2").near == .point(harbour))
        #expect(try parsed(ListCommand.self, "list", "--near", "-33.8,151.2").near == .point(harbour))
        #expect(try parsed(ListCommand.self, "list", "--near=-33.8,151.2").near == .point(harbour))
        #expect(try parsed(SearchCommand.self, "search", "a", "b", "--near", "-33.8,1").words == ["a", "b"])
        #expect(try parsed(EditCommand.self, "edit", id, "--at", "-33.8,151.2").at == .point(harbour))
        #expect(try parsed(EditCommand.self, "edit", id, "--at", "Sydney").at == .town("Sydney"))
        #expect(try located(parsed(AddCommand.self, "add", "x", "-33.9,151.2").words).longitude == 151.2)
        let tail = try parsed(TailCommand.self, "tail", "--near", "-33.8", "151.2", "--radius", "1km")
        #expect(tail.filters.near == .point(harbour))
        #expect(try parsed(TailCommand.self, "tail", "--within", "-34,151,-33,152").filters.within?.bounds.south == -34)
        #expect(try parsed(ListCommand.self, "list", "--within", "-34,151,-33,152").finding.within?.bounds.south == -34)
        let near = try parsed(NearCommand.self, "near", "-33.8", "151.2", "--within", "-34,151,-33,152")
        #expect(near.finding.within?.bounds.south == -34)
        #expect(try parsed(WatchCommand.self, "watch", "--near", "-33.8,151.2").near == .point(harbour))
        let distance = try parsed(DistanceCommand.self, "distance", "-33.8,151.2", id)
        let whole = LandmarkReference.whole(try #require(UUIDv7(id)))
        let here = PlaceArguments.Place.location(.point(harbour))
        #expect(try distance.places() == (here, .landmark(whole)))
        let four = try parsed(DistanceCommand.self, "distance", "-33.8", "151.2", "-33.8", "151.2")
        #expect(try four.places() == (here, here))
        let three = try parsed(DistanceCommand.self, "distance", id, "-33.8", "151.2")
        #expect(try three.places() == (.landmark(whole), here))
    }

    @Test func everyPlaceForAPositionTakesATown() throws {
        func parsed<Command>(_ type: Command.Type, _ arguments: String...) throws -> Command {
            let command = try WaymarkTool.parse(arguments)
            return try #require(command as? Command)
        }
        let (town, id) = (Location.town("Sydney"), "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5")
        let near = ["--near", "Sydney"]
        #expect(try Location(words: parsed(NearCommand.self, "near", "Sydney").words) == town)
        #expect(try Location(words: parsed(NearCommand.self, "near", "Sydney", "NSW").words) == .town("Sydney NSW"))
        #expect(try Location(words: parsed(AddCommand.self, "add", "x", "Sydney").words) == town)
        #expect(try Location(words: parsed(WhereCommand.self, "where", "Sydney").words) == town)
        #expect(try parsed(ListCommand.self, "list", near[0], near[1]).near == town)
        #expect(try parsed(SearchCommand.self, "search", "a", near[0], near[1]).near == town)
        #expect(try parsed(GeocodeCommand.self, "geocode", "a", near[0], near[1]).near == town)
        #expect(try parsed(EditCommand.self, "edit", id, "--at", "Sydney").at == town)
        #expect(try parsed(WatchCommand.self, "watch", near[0], near[1]).near == town)
        #expect(try parsed(TailCommand.self, "tail", near[0], near[1], "--radius", "2km").filters.near == town)
        #expect(try parsed(NearBench.self, "bench", "near", "--around", "Sydney").around == town)
        #expect(try parsed(WriteBench.self, "bench", "write", "--around", "Sydney").around == town)
        #expect(try parsed(IngestBench.self, "bench", "ingest", "--around", "Sydney").around == town)
        #expect(try parsed(TailBench.self, "bench", "tail", "--around", "Sydney").around == town)
        #expect(
            try parsed(NearBench.self, "bench", "near", "--around", "-33.8", "151.2").around
                == .point(Coordinate(latitude: -33.8, longitude: 151.2)))
        let distance = try parsed(DistanceCommand.self, "distance", "-33.8", "151.2", "New York")
        #expect(try distance.places().1 == .location(.town("New York")))
        let towns = try parsed(DistanceCommand.self, "distance", "Sydney", "Melbourne")
        #expect(try towns.places() == (.location(town), .location(.town("Melbourne"))))
        let unclear = #expect(throws: (any Error).self) {
            try parsed(DistanceCommand.self, "distance", "San", "Francisco", "New", "York")
        }
        #expect(unclear.map { "\($0)" }?.contains("put the name of a town into quotes") == true)
    }
}
