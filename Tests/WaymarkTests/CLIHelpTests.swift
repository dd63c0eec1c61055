// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkCLI

@Suite("Help, without a service", .inShortTurn)
struct CLIHelpTests {
    @Test func helpAndVersionAreResults() async {
        let version = await tool("--version")
        #expect(version.status == 0)
        #expect(version.out == Product.version + "\n")
        for arguments in [["help"], ["--help"], []] {
            let (out, err) = (MemorySink(), MemorySink())
            #expect(await WaymarkTool.run(arguments, in: Surroundings(environment: [:], out: out, err: err)) == 0)
            #expect(out.text.contains("USAGE: waymark <subcommand>"))
            #expect(err.text.isEmpty)
        }
        #expect(await tool("--generate-completion-script", "bash").status == 0)
    }

    @Test(
        arguments: [
            ["near"], ["list"], ["search"], ["show"], ["distance"], ["add"], ["edit"], ["remove"], ["note"],
            ["note", "add"],
            ["note", "edit"], ["note", "remove"], ["user"], ["user", "set"], ["user", "show"], ["tail"], ["watch"],
            ["up"],
            ["ingest"],
            ["sources"], ["source"], ["source", "remove"], ["status"], ["compact"], ["backup"], ["restore"],
            ["restore-landmark"], ["bench"],
            ["bench", "bus"],
            ["bench", "near"],
            ["bench", "search"], ["bench", "write"], ["bench", "ingest"], ["bench", "tail"], ["bench", "mix"],
            ["bench", "compare"], ["bench", "clean"], ["bench", "record"], ["bench", "worker"],
            ["fence"], ["fence", "add"], ["fence", "list"], ["fence", "show"], ["fence", "remove"],
            ["share"], ["share", "new"], ["share", "list"], ["share", "end"],
            ["hook"], ["hook", "add"], ["hook", "list"], ["hook", "show"], ["hook", "test"], ["hook", "pause"],
            ["hook", "resume"], ["hook", "rotate"], ["hook", "remove"], ["hook", "failed"], ["hook", "redeliver"],
        ])
    func everyCommandExplainsItself(_ command: [String]) async {
        let (out, err) = (MemorySink(), MemorySink())
        let surroundings = Surroundings(environment: [:], out: out, err: err)
        #expect(await WaymarkTool.run(["help"] + command, in: surroundings) == 0)
        #expect(out.text.hasPrefix("OVERVIEW: "))
        #expect(out.text.split(separator: "USAGE:").first?.contains("  waymark \(command[0])") == true, "an example")
        // The argument parser does not wrap the usage.
        let lines = out.text.split(separator: "\n").filter { !$0.hasPrefix("USAGE:") }
        let wide = lines.filter { DisplayWidth.of(String($0)) > 80 }
        #expect(wide.isEmpty, "\(wide)")
    }

    @Test(arguments: ["bus", "near", "search", "write", "ingest", "tail", "mix", "compare", "record", "worker"])
    func everyOptionOfALoadTestHasAnExample(_ command: String) async {
        let (out, err) = (MemorySink(), MemorySink())
        let surroundings = Surroundings(environment: [:], out: out, err: err)
        #expect(await WaymarkTool.run(["help", "bench", command], in: surroundings) == 0)
        // The options that all commands share are explained without an example.
        let shared = ["--connect", "--as", "--yes", "--output", "--color", "--version", "--help"]
        let usage = out.text.split(separator: "USAGE:").last ?? ""
        let options = usage.split(separator: "\n  -").dropFirst().filter { option in
            !shared.contains { option.prefix { $0 != "\n" }.contains($0.dropFirst()) }
        }
        #expect(options.count >= 2)
        for option in options {
            let words = option.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("Example: --"), "\(words)")
        }
    }
}
