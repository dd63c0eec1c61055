// SPDX-License-Identifier: Apache-2.0

import Settings
import TestTurns
import Testing

@Suite(.inShortTurn)
struct PrecedenceTests {
    private let yaml = "log:\n  level: debug\nlisten: tcp://127.0.0.1:1\n"
    private let environment = [
        "WAYMARK_STORAGE_LOG_LEVEL": "notice", "WAYMARK_QUERY_LISTEN": "nonsense", "PATH": "/bin",
    ]

    @Test
    func defaultsStandWhereNothingIsGiven() throws {
        let settings = try Loading().load()
        #expect(settings.string("log.level") == "info")
        #expect(settings.duration("beacon") == .seconds(1))
        #expect(settings.bytes("batch.bytes") == 4 << 20)
        #expect(settings.int("batch.commands") == 256)
        #expect(settings.bool("insecure") == false)
        #expect(settings.optionalString("advertise") == nil)
        #expect(settings.origin(of: "log.level") == .default)
    }

    @Test
    func theFileWinsOverDefaults() throws {
        let settings = try Loading(yaml: yaml).load()
        #expect(settings.string("log.level") == "debug")
        #expect(settings.string("listen") == "tcp://127.0.0.1:1")
        #expect(settings.string("changes") == "tcp://127.0.0.1:7422")
        #expect(settings.origin(of: "log.level").description.hasSuffix("a.yaml, line 2"))
    }

    @Test
    func theEnvironmentWinsOverTheFile() throws {
        let settings = try Loading(yaml: yaml, environment: environment).load()
        #expect(settings.string("log.level") == "notice")
        #expect(settings.string("listen") == "tcp://127.0.0.1:1")
        #expect(settings.origin(of: "log.level") == .variable("WAYMARK_STORAGE_LOG_LEVEL"))
    }

    @Test(arguments: [["--log-level", "error"], ["--log-level=error"]])
    func flagsWinOverAll(arguments: [String]) throws {
        let settings = try Loading(yaml: yaml, environment: environment, arguments: arguments).load()
        #expect(settings.string("log.level") == "error")
        #expect(settings.origin(of: "log.level") == .flag("--log-level"))
    }

    @Test
    func everyKindIsReadInEveryLayer() throws {
        let text = """
            data: store
            batch: {commands: 7, bytes: 64KiB}
            beacon: "500ms"
            insecure: yes
            changes: ipc:///tmp/a
            """
        let variables = [
            "WAYMARK_STORAGE_BATCH_COMMANDS": "7", "WAYMARK_STORAGE_BATCH_BYTES": "64KiB",
            "WAYMARK_STORAGE_BEACON": "500ms", "WAYMARK_STORAGE_INSECURE": "true",
            "WAYMARK_STORAGE_CHANGES": "ipc:///tmp/a",
        ]
        let flags = [
            "--batch-commands", "7", "--batch-bytes=64KiB", "--beacon", "500ms", "--insecure", "--changes",
            "ipc:///tmp/a",
        ]
        for loading in [Loading(yaml: text), Loading(environment: variables), Loading(arguments: flags)] {
            let settings = try loading.load()
            #expect(settings.int("batch.commands") == 7)
            #expect(settings.bytes("batch.bytes") == 65_536)
            #expect(settings.duration("beacon") == .milliseconds(500))
            #expect(settings.bool("insecure"))
            #expect(settings.string("changes") == "ipc:///tmp/a")
        }
    }

    @Test
    func nothingMayBeSetInAHigherLayer() throws {
        let yaml = "advertise: tcp://192.0.2.1:7422"
        let settings = try Loading(yaml: yaml, environment: ["WAYMARK_STORAGE_ADVERTISE": ""]).load()
        #expect(settings.optionalString("advertise") == nil)
        #expect(try Loading(yaml: yaml, arguments: ["--advertise="]).load().optionalString("advertise") == nil)
        #expect(try Loading(yaml: yaml).load().optionalString("advertise") == "tcp://192.0.2.1:7422")
    }

    @Test(arguments: [
        "log:\n  level: ~", "log:\n  level:", "log: null", "log:", "", "# nothing", "---", "{}", "log: {}",
    ])
    func nothingInTheFileIsNotGiven(yaml: String) throws {
        #expect(try Loading(yaml: yaml).load().string("log.level") == "info")
    }

    @Test
    func aValueMayHoldCommasAndEqualsSigns() throws {
        let url = "https://a.example/?box=1,2&key=a=b"
        for arguments in [["--sources-a-url", url], ["--sources-a-url=\(url)"]] {
            let settings = try Loading(schema: .query, arguments: arguments).load()
            #expect(settings.members(of: "sources").map { $0.string("url") } == [url])
        }
        let settings = try Loading(schema: .query, environment: ["WAYMARK_QUERY_SOURCES_A_URL": url]).load()
        #expect(settings.string("sources.a.url") == url)
    }
}
