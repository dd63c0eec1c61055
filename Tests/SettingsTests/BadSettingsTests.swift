// SPDX-License-Identifier: Apache-2.0

import Foundation
import Settings
import TestTurns
import Testing

@Suite(.inShortTurn)
struct BadSettingsTests {
    @Test(arguments: [
        ("lisen: tcp://127.0.0.1:1", "a.yaml, line 1: lisen is no setting: did you mean listen?"),
        ("log:\n  levle: info", "a.yaml, line 2: log.levle is no setting: did you mean log.level?"),
        ("log:\n  colour: true", "a.yaml, line 2: log.colour is no setting."),
        ("log.level: info", "a.yaml, line 1: log.level is no setting: did you mean log.level?"),
        ("log-level: info", "a.yaml, line 1: log-level is no setting: did you mean log.level?"),
        ("sources: {}", "a.yaml, line 1: sources is no setting."),
        ("listen:\n  - tcp://127.0.0.1:1", "a.yaml, line 1: listen must be one value, not a list."),
        ("listen:\n  host: a", "a.yaml, line 1: listen must be one value, not a block of keys."),
        ("log: info", "a.yaml, line 1: log must be a block of keys, not one value."),
        ("log: [info]", "a.yaml, line 1: log must be a block of keys, not a list."),
        ("beacon: 10", "a.yaml, line 1: beacon: \"10\" is not a time such as 500ms, 5s, 10m, 6h or 1d."),
        ("beacon: 1ms", "a.yaml, line 1: beacon: \"1ms\" is not within 10ms and 1m."),
        ("\n\nbatch:\n  commands: many", "a.yaml, line 4: batch.commands: \"many\" is not a whole number."),
        ("batch: {commands: 0}", "a.yaml, line 1: batch.commands: \"0\" is not within 1 and 4096."),
        (
            "batch: {bytes: 5MB}",
            "a.yaml, line 1: batch.bytes: \"5MB\" is not a size such as 512B, 64KiB, 8MiB or 1GiB."
        ),
        ("insecure: maybe", "a.yaml, line 1: insecure: \"maybe\" is neither true nor false."),
        (
            "listen: 127.0.0.1:7421",
            "a.yaml, line 1: listen: \"127.0.0.1:7421\" is no endpoint: write tcp://127.0.0.1:7421."
        ),
        (
            "log: {level: loud}",
            "a.yaml, line 1: log.level: \"loud\" is none of trace, debug, info, notice, warning, error, critical."
        ),
        ("listen: \"\"", "a.yaml, line 1: listen is empty: give it a value or leave it out."),
        ("beacon: 1s\nbeacon: 2s", "a.yaml, line 2: the YAML is malformed: beacon is given twice."),
        ("- a", "a.yaml, line 1: the YAML is malformed: it has to be a list of keys with values."),
        ("text", "a.yaml, line 1: the YAML is malformed: it has to be a list of keys with values."),
        ("? [a]\n: b", "a.yaml, line 1: the YAML is malformed: a key has to be a word."),
        ("beacon: &a 1s", "a.yaml, line 1: the YAML is malformed: anchors and aliases are not read."),
        ("beacon: 1s\n---\nbeacon: 2s", nil),
        ("log: {level: info", nil), ("\tlog: a", nil), ("a: *b", nil), ("a: \u{0}", nil), ("%YAML 9.9\n---\na: 1", nil),
    ])
    func inTheFile(yaml: String, sentence: String?) throws {
        let problem = try #require(try Loading(yaml: yaml).problem())
        if let sentence { #expect(problem == sentence) } else { #expect(problem.contains("the YAML is malformed")) }
    }

    @Test(arguments: [
        (
            "WAYMARK_STORAGE_LISEN", "a",
            "WAYMARK_STORAGE_LISEN is no setting: did you mean WAYMARK_STORAGE_LISTEN?"
        ),
        ("WAYMARK_STORAGE_XYZ", "a", "WAYMARK_STORAGE_XYZ is no setting."),
        ("WAYMARK_STORAGE_", "a", "WAYMARK_STORAGE_ is no setting."),
        (
            "WAYMARK_STORAGE_log_level", "info",
            "WAYMARK_STORAGE_log_level is no setting: did you mean WAYMARK_STORAGE_LOG_LEVEL?"
        ),
        (
            "WAYMARK_STORAGE_BEACON", "1",
            "WAYMARK_STORAGE_BEACON: \"1\" is not a time such as 500ms, 5s, 10m, 6h or 1d."
        ),
        ("WAYMARK_STORAGE_LISTEN", "", "WAYMARK_STORAGE_LISTEN is empty: give it a value or leave it out."),
    ])
    func inTheEnvironment(variable: String, value: String, sentence: String) throws {
        #expect(try Loading(environment: [variable: value]).problem() == sentence)
    }

    @Test(arguments: [
        (["--lisen", "a"], "--lisen is no setting: did you mean --listen?"),
        (["--log.level=info"], "--log.level is no setting: did you mean --log-level?"),
        (["--xyz"], "--xyz is no setting."),
        (["--beacon"], "--beacon needs a value: write --beacon=VALUE."),
        (["--beacon", "--insecure"], "--beacon needs a value: write --beacon=VALUE."),
        (["--beacon", "5"], "--beacon: \"5\" is not a time such as 500ms, 5s, 10m, 6h or 1d."),
        (["--insecure=perhaps"], "--insecure: \"perhaps\" is neither true nor false."),
        (["--insecure", "false"], "\"false\" is unexpected: settings are written as --key VALUE."),
        (["serve"], "\"serve\" is unexpected: settings are written as --key VALUE."),
        (["-l", "a"], "\"-l\" is unexpected: settings are written as --key VALUE."),
        (["--"], "\"--\" is unexpected: settings are written as --key VALUE."),
        (
            ["--beacon", "1s", "--beacon=2s"],
            "--beacon is given twice, first in --beacon: leave one out."
        ),
        (["--listen="], "--listen is empty: give it a value or leave it out."),
    ])
    func inTheFlags(arguments: [String], sentence: String) throws {
        #expect(try Loading(arguments: arguments).problem() == sentence)
    }

    @Test
    func aBadValueIsNotHiddenByAHigherLayer() throws {
        let loading = Loading(
            yaml: "beacon: soon", environment: ["WAYMARK_STORAGE_BEACON": "1s"], arguments: ["--beacon", "2s"])
        #expect(try loading.problem()?.hasPrefix("a.yaml, line 1: beacon: \"soon\" is not a time") == true)
    }

    @Test
    func aFileThatIsNamedMustBeThere() throws {
        func problem(_ path: String) -> String? {
            do {
                _ = try Settings.load(schema: .storage, file: path, environment: [:], arguments: [])
                return nil
            } catch {
                return error.description
            }
        }
        #expect(problem("none.yaml") == "none.yaml: the file cannot be read: there is no such file.")
        #expect(problem("/") == "/: the file cannot be read: it is a folder.")
    }

    @Test
    func boundsTheFile() throws {
        let large = "# " + String(repeating: "x", count: 256 * 1024)
        let sentence = "a.yaml: the file is larger than 256KiB: name a file of settings."
        #expect(try Loading(yaml: large).problem() == sentence)
        let deep = String(repeating: "[", count: 100_000)
        #expect(try Loading(yaml: deep).problem()?.contains("the YAML is malformed") == true)
        let stairs = String(repeating: "- ", count: 100_000)
        #expect(try Loading(yaml: stairs).problem()?.contains("the YAML is malformed") == true)
    }

    @Test(arguments: ["a30: *a29", "? *a29\n: 1"])
    func aliasesDoNotGrow(last: String) throws {
        var lines = ["a0: &a0 [x, x]"]
        for level in 1..<30 { lines.append("a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]") }
        #expect(
            try Loading(yaml: (lines + [last]).joined(separator: "\n")).problem()
                == "a.yaml, line 1: the YAML is malformed: anchors and aliases are not read.")
    }

    @Test
    func starsInTextsAreNoAliases() throws {
        let yaml = (1...20).map { "# a *star* in note \($0)\nlisten: tcp://*:7421".split(separator: "\n")[0] }
        let settings = try Loading(yaml: yaml.joined(separator: "\n") + "\nlisten: tcp://127.0.0.1:*").load()
        #expect(settings.string("listen") == "tcp://127.0.0.1:*")
    }
}
