// SPDX-License-Identifier: Apache-2.0

import Foundation
import Settings
import TestTurns
import Testing

@Suite(.inShortTurn)
struct SourceSettingsTests {
    private let yaml = """
        sources:
          sydney:
            url: https://a.example/a.json
            every: 10m
          my-beaches:
            url: https://b.example/b.json
            kind: =beach
        """

    @Test
    func membersComeFromEveryLayer() throws {
        let settings = try Loading(
            schema: .query, yaml: yaml,
            environment: [
                "WAYMARK_QUERY_SOURCES_MY_BEACHES_MAX_BYTES": "1MiB",
                "WAYMARK_QUERY_SOURCES_PARKS_URL": "https://c.example/",
            ],
            arguments: [
                "--sources-sydney-every", "5m", "--sources-sydney-max-bytes=2MiB", "--sources-x-name-url=a.json",
            ]
        ).load()
        let members = settings.members(of: "sources")
        #expect(members.map(\.name) == ["my-beaches", "parks", "sydney", "x-name"])
        #expect(members.map { $0.bytes("max-bytes") >> 20 } == [1, 64, 2, 64])
        #expect(members.map { $0.duration("every") } == [3600, 3600, 300, 3600].map { .seconds($0) })
        #expect(members[0].optionalString("kind") == "=beach")
        #expect(members[0].optionalString("rows") == nil)
        #expect(members[2].key("every") == "sources.sydney.every")
        #expect(members[2].origin(of: "every") == .flag("--sources-sydney-every"))
        #expect(members[1].string("format") == "auto")
    }

    @Test
    func theLongestFieldIsMeant() throws {
        let fields = [SettingKey("name", .string, help: ""), SettingKey("full-name", .string, help: "")]
        let schema = SettingsSchema(service: "query", keys: [], groups: [SettingGroup("sources", fields: fields)])
        let settings = try Loading(schema: schema, arguments: ["--sources-a-full-name=b", "--sources-c-name=d"]).load()
        #expect(settings.members(of: "sources").map(\.name) == ["a", "c"])
        #expect(settings.string("sources.a.full-name") == "b")
    }

    @Test
    func noSourcesAreNoError() throws {
        #expect(try Loading(schema: .query).load().members(of: "sources").isEmpty)
        #expect(try Loading(schema: .query, yaml: "sources:").load().members(of: "sources").isEmpty)
    }

    @Test(arguments: [
        (
            "sources: {sydney: {every: 1h}}",
            "sources.sydney.url is missing: set it in the file, or as --sources-sydney-url or "
                + "WAYMARK_QUERY_SOURCES_SYDNEY_URL."
        ),
        (
            "sources:\n  sydney:\n    ulr: a.json",
            "a.yaml, line 3: sources.sydney.ulr is no setting: did you mean sources.sydney.url?"
        ),
        (
            "sources:\n  Sydney!:\n    url: a.json",
            "a.yaml, line 2: \"Sydney!\" is no name: give it 1 to 64 small letters, digits and hyphens."
        ),
        (
            "sources: {a.b: {url: a.json}}",
            "a.yaml, line 1: sources.a.b is no setting."
        ),
        (
            "sources: {-a: {url: a.json}}",
            "a.yaml, line 1: \"-a\" is no name: give it 1 to 64 small letters, digits and hyphens."
        ),
        (
            "sources: [a]", "a.yaml, line 1: sources must be a block of keys, not a list."
        ),
        ("sources: {a: b}", "a.yaml, line 1: sources.a must be a block of keys, not one value."),
        (
            "sources: {a: {url: a.json, format: kml}}",
            "a.yaml, line 1: sources.a.format: \"kml\" is none of auto, seed, geojson, overpass, udacity, mapping."
        ),
        (
            "sources: {a: {url: a.json, every: 5}}",
            "a.yaml, line 1: sources.a.every: \"5\" is not a time such as 500ms, 5s, 10m, 6h or 1d."
        ),
        ("sources: {a: {url: {}}}", "a.yaml, line 1: sources.a.url must be one value, not a block of keys."),
    ])
    func tellsWhatIsWrong(yaml: String, sentence: String) throws {
        #expect(try Loading(schema: .query, yaml: yaml).problem() == sentence)
    }

    @Test
    func suggestsTheNearestVariableAndFlag() throws {
        #expect(
            try Loading(schema: .query, environment: ["WAYMARK_QUERY_SOURCES_SYDNEY_EVRY": "1h"]).problem()
                == "WAYMARK_QUERY_SOURCES_SYDNEY_EVRY is no setting: "
                + "did you mean WAYMARK_QUERY_SOURCES_SYDNEY_EVERY?")
        #expect(
            try Loading(schema: .query, arguments: ["--sources-sydney-max-byte=1MiB"]).problem()
                == "--sources-sydney-max-byte is no setting: did you mean --sources-sydney-max-bytes?")
    }

    @Test
    func pathsInTheFileAreMeantFromItsFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings \(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.yaml")
        func url(_ text: String) throws -> String {
            try Data("sources: {a: {url: \"\(text)\"}}".utf8).write(to: file)
            return try Settings.load(
                schema: .query, file: file.path(percentEncoded: false), environment: [:], arguments: []
            ).string("sources.a.url")
        }
        let path = folder.path(percentEncoded: false)
        #expect(try url("file:b.json") == "file:\(path.replacing(" ", with: "%20"))/b.json")
        #expect(try url("b/c.json") == "\(path)/b/c.json")
        #expect(try url("/b.json") == "/b.json")
        #expect(try url("file:///b.json") == "file:///b.json")
        #expect(try url("https://a.example/b") == "https://a.example/b")
        let settings = try Loading(schema: .query, arguments: ["--sources-a-url=file:b.json"]).load()
        #expect(settings.string("sources.a.url") == "file:b.json")
    }
}
