// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkCLI

@Suite("The program, without a service", .inShortTurn)
struct CLIToolTests {
    /// Nothing can listen there: the name is not a port.
    private static let nowhere = "ipc:///nonexistent/waymark.ipc"

    @Test(
        arguments: [
            ["near", "-91,0"], ["near", "1,2,3"], ["near"], ["frobnicate"], ["near", "1,2", "--limit", "0"],
            ["near", "1,2", "--radius", "far"], ["near", "1,2", "--timeout", "5"], ["near", "1,2", "-o", "xml"],
            ["near", "1,2", "--radius", "1km", "--min-distance", "2km"], ["show", " "],
            ["list", "--near", "1,2", "--by", "name"],
            ["edit", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"], ["near", "1,2", "--connect", "localhost"],
            ["ingest", "x.json", "--format", "xls"], ["ingest", "x.json", "--name-field", "n"],
            ["ingest", "ftp://x/y"],
            ["tail", "--epoch", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"],
            ["tail", "--since", "5m", "--epoch", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"],
            ["tail", "--since", "yesterday"], ["tail", "--since", "1", "--new"],
            ["tail", "--snapshot", "--from-start"],
            ["tail", "--near", "1,2"], ["tail", "--radius", "1km"], ["tail", "--within", "1,2,0,4"],
            ["tail", "--near", "1,2", "--radius", "1km", "--within", "0,0,1,1"], ["tail", "--op", "added,moved"],
            ["tail", "--limit", "2", "--require", "3"], ["tail", "-o", "template={colour}"],
            ["tail", "--fence", "a", "--within", "0,0,1,1"],
            ["tail", "--fence", "a", "--near", "1,2", "--radius", "1m"],
            ["list", "--fence", "a", "--within", "0,0,1,1"], ["fence", "add", "a", "--near", "1,2"],
            ["hook", "pause"], ["hook", "pause", "a", "--all"], ["hook", "resume", "a", "--from", "start"],
            ["hook", "resume", "--all", "--from", "-1"], ["hook", "redeliver", "a", "0"],
            ["hook", "add", "a", "http://h/", "--batch", "1001"], ["hook", "add", "a", "http://h/", "--from", "soon"],
            ["hook", "add", "a"], ["hook", "add", "a", "http://h/", "--radius", "1km"],
            ["tail", "--on-compacted", "ignore"], ["watch"], ["watch", "--near", "1,2", "--limit", "1001"],
        ])
    func usageErrors(_ arguments: [String]) async throws {
        let (out, err) = (MemorySink(), MemorySink())
        let surroundings = Surroundings(environment: [:], out: out, err: err)
        #expect(await WaymarkTool.run(arguments, in: surroundings) == 2)
        #expect(out.text.isEmpty)
        #expect(err.text.hasPrefix("error: "))

        let json = MemorySink()
        let inJSON = Surroundings(environment: [:], out: out, err: json)
        // An error about -o itself is printed as text.
        guard !arguments.contains("-o") else { return }
        #expect(await WaymarkTool.run(arguments + ["-o", "json"], in: inJSON) == 2)
        #expect(json.text.hasPrefix("{\"error\":{\"code\":\"usage\",\"message\":"))
        #expect(json.writes.count == 1)
    }

    @Test func kindsAreFoundWithoutAService() async {
        func run(_ arguments: String...) async -> (status: Int32, out: String, err: String) {
            let (out, err) = (MemorySink(), MemorySink())
            let status = await WaymarkTool.run(
                ["kinds"] + arguments, in: Surroundings(environment: [:], out: out, err: err))
            return (status, out.text, err.text)
        }
        let found = await run("petrol", "-o", "json")
        #expect(found.status == 0)
        #expect(found.out.hasPrefix(#"{"kind":"gas_station","label":"Gas station","synonyms":["petrol","#))
        let table = await run("caf")
        #expect(table.out.split(separator: "\n").map { $0.prefix(4) } == ["KIND", "cafe"])
        let none = await run("xyzzy")
        #expect(none.status == 1 && none.out.isEmpty && none.err.contains("waymark kinds"))
    }

    @Test func aPositionIsQuotedAsItWasTyped() async {
        let result = await tool("near", "-91,0")
        #expect(result.err.contains("'-91,0' is no position: latitude -91 is not within"))
        #expect(result.err.contains("did you mean 0,-91?"))
        let area = await tool("tail", "--within", "-34,151,-33")
        #expect(area.err.contains("'-34,151,-33' is invalid") && area.err.contains("SOUTH,WEST,NORTH,EAST"))
    }

    @Test(
        "the message names the wrong word, and suggests the right one",
        arguments: [
            (["nera", "1,2"], "There is no command 'nera': did you mean near?"),
            (["frobnicate"], "There is no command 'frobnicate'. \"waymark --help\" lists all."),
            (["bench", "serch"], "There is no command 'serch': did you mean search? \"waymark bench --help\""),
            (["fence", "lst"], "There is no command 'lst': did you mean list? \"waymark fence --help\""),
            (["hook", "add", "a", "http://h/", "--fnce", "b"], "There is no option '--fnce': did you mean --fence?"),
            (["hook", "add", "a", "http://h/", "--from", "soon"], "it is now, start or a revision, such as 120."),
            (["near", "--limt", "5", "-33,151"], "There is no option '--limt': did you mean --limit?"),
            (["show", "--histroy=5", "x"], "There is no option '--histroy': did you mean --history?"),
            (["list", "--user", "a", "--user", "b"], "list takes only one --user: run it once for each."),
            (["near", "1,2", "--connect", "tcp://h:99999"], "it has a port that is not within 1 and 65535."),
            (["up", "--listen", "17441"], "it is no endpoint: write tcp://127.0.0.1:17441."),
            (["tail", "--feed", "7422"], "it is no endpoint: write tcp://127.0.0.1:7422."),
            (["tail", "--since", "1", "--epoch", "abc"], "an epoch is an id of 36 characters"),
            (["near", "1,540"], "longitude 540 is not within"), (["distance", "1,2"], "between two places"),
            (["add", "x", "151.2", "-33.8"], "did you mean -33.8,151.2?"),
        ])
    func slips(_ arguments: [String], _ message: String) async {
        let (out, err) = (MemorySink(), MemorySink())
        #expect(await WaymarkTool.run(arguments, in: Surroundings(environment: [:], out: out, err: err)) == 2)
        #expect(err.text.hasPrefix("error: ") && err.text.contains(message), "\(err.text)")
    }

    @Test func aFeedInTheEnvironmentIsChecked() async {
        let (out, err) = (MemorySink(), MemorySink())
        let surroundings = Surroundings(environment: ["WAYMARK_FEED": "tcp://*:1"], out: out, err: err)
        #expect(await WaymarkTool.run(["tail"], in: surroundings) == 2)
        #expect(err.text.hasPrefix("error: WAYMARK_FEED cannot be used: it names no host"), "\(err.text)")
    }

    @Test func whatIsKnownIsNoSlip() {
        for arguments in [
            ["near", "1,2", "--limit", "x"], ["user"], ["user", "frob"], ["note", "x", "y"], ["help", "near"], [],
            ["tail", "--color=never"], ["bench", "bus", "--duration", "5"], ["near", "--", "--limt"],
        ] {
            #expect(Misspelling.message(arguments) == nil)
        }
    }

    @Test func whatCannotBeTakenBackIsAskedFor() throws {
        func ask(_ answer: String?) -> Surroundings {
            let sink = MemorySink()
            var surroundings = Surroundings(environment: [:], out: sink, err: sink)
            surroundings.ask = { _ in answer }
            return surroundings
        }
        let (sink, undone) = (MemorySink(), Failure("not_confirmed", "Nothing was done."))
        let nobody = Surroundings(environment: [:], out: sink, err: sink)
        var options = try ConfirmationOptions.parse([])
        #expect(throws: Failure.usage("Is it meant? There is no terminal to answer on: add --yes to confirm.")) {
            try options.confirm("Is it meant?", nobody)
        }
        for answer in ["", "n", "yess", nil] {
            #expect(throws: undone) { try options.confirm("Is it meant?", ask(answer)) }
        }
        try options.confirm("Is it meant?", ask(" Yes"))
        options = try ConfirmationOptions.parse(["--yes"])
        try options.confirm("Is it meant?", nobody)
    }

    @Test func nobodyListens() async {
        let result = await tool("near", "-33.8,151.2", "--connect", Self.nowhere, "--timeout", "100ms")
        #expect(result.status == 3)
        #expect(result.out.isEmpty)
        #expect(result.err.hasPrefix("error: Nobody answers at \(Self.nowhere)"))

        let json = await tool(
            "status", "-o", "json", "--timeout", "100ms", environment: ["WAYMARK_CONNECT": Self.nowhere])
        #expect(json.status == 3)
        #expect(json.err.hasPrefix("{\"error\":{\"code\":\"cannot_connect\",\"message\":\"Nobody answers"))

        let tail = await tool("tail", "--connect", Self.nowhere, "--timeout", "100ms")
        #expect(tail.status == 3)
    }

    @Test func aVariableThatIsNoEndpoint() async {
        let result = await tool("status", environment: ["WAYMARK_CONNECT": "localhost"])
        #expect(result.status == 2)
        #expect(result.err.contains("WAYMARK_CONNECT"))
    }

    @Test func writingNeedsAName() async {
        for arguments in [["add", "x", "-1,2"], ["remove", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"]] {
            let (out, err) = (MemorySink(), MemorySink())
            let surroundings = Surroundings(environment: ["WAYMARK_CONNECT": Self.nowhere], out: out, err: err)
            #expect(await WaymarkTool.run(arguments, in: surroundings) == 2)
            #expect(err.text.contains("waymark user set NAME"))
        }
        let named = await tool("add", "x", "-1,2", "--as", "ann", "--connect", Self.nowhere, "--timeout", "50ms")
        #expect(named.status == 3)
        let variable = await tool(
            "add", "x", "-1,2", "--timeout", "50ms",
            environment: ["WAYMARK_USER": "ann", "WAYMARK_CONNECT": Self.nowhere])
        #expect(variable.status == 3)
    }

    @Test func aNameThatBreaksTheRulesIsRefused() async {
        let long = String(repeating: "x", count: 201)
        for name in ["", "  ", long] {
            let result = await tool("add", name, "1,2", "--as", "ann", "--connect", Self.nowhere)
            #expect(result.status == 1)
            #expect(result.err.hasPrefix("error: The name is "))
        }
    }

    @Test func threeShapesOfNote() throws {
        let id = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"
        let plain = try WaymarkTool.parse(["note", id, "Closed on Thursdays."])
        #expect((plain as? NoteCommand.Add)?.text == ["Closed on Thursdays."])
        let words = try WaymarkTool.parse(["note", id, "edit", "me"])
        #expect((words as? NoteCommand.Add)?.text == ["edit", "me"])
        let edited = try WaymarkTool.parse(["note", "edit", id, "Open."])
        #expect((edited as? NoteCommand.Edit)?.text == ["Open."])
        let removed = try WaymarkTool.parse(["note", "remove", id])
        #expect((removed as? NoteCommand.Remove)?.note.description == id)
    }

    @Test func outputIsToldFromTheArguments() {
        for arguments in [["-o", "json"], ["near", "-ojson"], ["--output=json"], ["--output", "json"]] {
            #expect(WaymarkTool.asksForJSON(arguments))
        }
        for arguments in [[], ["-o", "text"], ["--", "-o", "json"], ["json"], ["-o"]] {
            #expect(!WaymarkTool.asksForJSON(arguments))
        }
    }
}
