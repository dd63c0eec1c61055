// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import QueryService
import Settings
import StorageService
import TestTurns
import Testing

/// The files that ship with the services.
@Suite(.inShortTurn)
struct ConfigurationFilesTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "config")

    private func load(_ schema: SettingsSchema) throws -> Settings {
        try Settings.load(
            schema: schema,
            file: Self.folder.appending(path: "\(schema.service).yaml").path(percentEncoded: false), environment: [:],
            arguments: [])
    }

    @Test(arguments: [SettingsSchema.storage, .query])
    func sayWhatTheDefaultsAre(schema: SettingsSchema) throws {
        let settings = try load(schema)
        // By the file, so that the first `convert` has rates.
        for key in schema.keys where key.name != "rates.url" {
            #expect(settings.optionalString(key.name) == key.defaultText)
        }
    }

    @Test(arguments: [SettingsSchema.storage, .query])
    func nameEveryKey(schema: SettingsSchema) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(schema.service).yaml"), encoding: .utf8)
        for key in schema.keys + schema.groups.flatMap(\.fields) {
            let word = key.name.split(separator: ".").last ?? ""
            #expect(text.contains("\(word):"))
        }
    }

    @Test(arguments: [SettingsSchema.storage, .query])
    func unitsSetKeysThatExist(schema: SettingsSchema) throws {
        let unit = try String(
            contentsOf: Self.folder.appending(path: "waymark-\(schema.service).service"), encoding: .utf8)
        let variables = unit.matches(of: /(?m)^Environment=(\w+)=(.+)$/).map { (String($0.1), String($0.2)) }
        let settings = try Settings.load(
            schema: schema, file: Self.folder.appending(path: "\(schema.service).yaml").path(percentEncoded: false),
            environment: Dictionary(uniqueKeysWithValues: variables), arguments: [])
        #expect(settings.string("accounts") == "required")
        #expect(unit.contains("ExecStart=/usr/local/bin/waymark-\(schema.service) --config"))
        let known = schema.keys.map { $0.name.uppercased().replacing(/[.-]/, with: "_") }
        for (name, _) in variables {
            #expect(known.contains { name == "WAYMARK_\(schema.service.uppercased())_\($0)" }, "\(name)")
        }
    }

    @Test
    func timeZonesAreThoseOfThisMachine() throws {
        func options(_ arguments: String...) throws -> QueryOptions {
            try QueryOptions(
                Settings.load(
                    schema: .query, file: nil, environment: [:],
                    arguments: ["--sources-pools-url", "file:/tmp/x"] + arguments))
        }
        let zones = try options("--places-zone", "Australia/Sydney", "--sources-pools-zone", "Europe/Berlin").zones
        #expect(zones.standard == "Australia/Sydney" && zones.sources == ["pools": "Europe/Berlin"])
        #expect(try options().zones.standard == nil && options().zones.sources.isEmpty)
        for arguments in [["--places-zone", "Mars/Olympus"], ["--sources-pools-zone", "../../etc/passwd"]] {
            let error = #expect(throws: Unusable.self) { try options(arguments[0], arguments[1]) }
            #expect(error?.description.contains("no time zone \"\(arguments[1])\"") == true)
        }
    }

    @Test
    func aGazetteerThatIsNoneEndsTheStart() throws {
        func options(_ path: String) throws -> QueryOptions {
            try QueryOptions(
                Settings.load(schema: .query, file: nil, environment: [:], arguments: ["--places-gazetteer", path]))
        }
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "waymark-\(UUID().uuidString).bin").path
        #expect(FileManager.default.createFile(atPath: file, contents: Data("no gazetteer".utf8)))
        defer { try? FileManager.default.removeItem(atPath: file) }
        for (path, reason) in [(file, "this is no gazetteer"), (file + "-not", "check that the file is there")] {
            let error = #expect(throws: Unusable.self) { try options(path) }
            #expect(error?.description.contains(reason) == true)
            #expect(error?.description.contains("places-gazetteer") == true, "\(error?.description ?? "")")
        }
    }

    @Test
    func ratesAreThoseBesideTheFile() throws {
        let url = try load(.query).string("rates.url")
        #expect(url.hasPrefix("file:/") && url.hasSuffix("/config/rates.json"))
        let path = try #require(url.dropFirst("file:".count).removingPercentEncoding)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(try RatesReader.read(Array(bytes)).rates.count == 30)
    }

    @Test
    func sydneyIsTheDefaultSource() throws {
        let sources = try load(.query).members(of: "sources")
        #expect(sources.map(\.name) == ["sydney"])
        let url = try #require(sources.first).string("url")
        #expect(url.hasPrefix("file:/") && url.hasSuffix("/config/sydney.json"))
        let path = try #require(url.dropFirst("file:".count).removingPercentEncoding)
        #expect(FileManager.default.fileExists(atPath: path))
        for field in SettingsSchema.query.groups.flatMap(\.fields) where !field.isRequired {
            #expect(sources.first?.optionalString(field.name) == field.defaultText)
        }
    }
}
