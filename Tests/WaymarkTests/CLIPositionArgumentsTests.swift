// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCommands

@Suite("Arguments that begin with a minus sign", .inShortTurn, .timeLimit(.minutes(5)))
struct CLIPositionArgumentsTests {
    @Test(arguments: [
        "-33.8568,151.2153", "-33,-151", "-.5,.5", "-0,0", "-33.8568, 151.2153", "-1e1,+2", "-91,500",
        "-34,151,-33,152",
    ])
    func positionIsProtected(_ text: String) {
        #expect(PositionArguments.protected(["near", text]) == ["near", " " + text])
        #expect(PositionArguments.protected(["edit", "--at", text]) == ["edit", "--at", " " + text])
    }

    @Test(
        arguments: [
            "33.8568,151.2153", "--at=-33,151", "-o", "-", "--", "-33.8568", "-33,151,5", "-1,2,3,4,5", "-33,", "-,5",
            "-a,5",
            "-33,b",
            "-inf,3", "-nan,3", "-0x1p3,4", "- 3,4", "-33,151 ,", "",
        ])
    func othersAreLeftAlone(_ text: String) {
        #expect(PositionArguments.protected(["near", text]) == ["near", text])
    }

    @Test func nothingIsChangedAfterTwoDashes() {
        #expect(PositionArguments.protected(["-1,2", "--", "-1,2"]) == [" -1,2", "--", "-1,2"])
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
        #expect(try parsed(NearCommand.self, "near", "-33.8568,151.2153").position.latitude == -33.8568)
        #expect(try parsed(ListCommand.self, "list", "--near", "-33.8,151.2").near?.latitude == -33.8)
        #expect(try parsed(ListCommand.self, "list", "--near=-33.8,151.2").near?.latitude == -33.8)
        #expect(try parsed(SearchCommand.self, "search", "a", "b", "--near", "-33.8,1").words == ["a", "b"])
        #expect(try parsed(EditCommand.self, "edit", id, "--at", "-33.9,151.2").at?.longitude == 151.2)
        #expect(try parsed(AddCommand.self, "add", "x", "-33.9,151.2").position.longitude == 151.2)
        let tail = try parsed(TailCommand.self, "tail", "--near", "-33.8,151.2", "--radius", "1km")
        #expect(tail.filters.near?.latitude == -33.8)
        #expect(try parsed(TailCommand.self, "tail", "--within", "-34,151,-33,152").filters.within?.south == -34)
        #expect(try parsed(WatchCommand.self, "watch", "--near", "-33.8,151.2").near.latitude == -33.8)
        let distance = try parsed(DistanceCommand.self, "distance", "-33.8,151.2", id)
        guard case .point(let from) = distance.from, case .landmark(let to) = distance.to else {
            Issue.record("a point and a landmark were given")
            return
        }
        #expect(from.latitude == -33.8)
        #expect(to.description == id)
    }
}
