// SPDX-License-Identifier: Apache-2.0

import Foundation
import QueryService
import Settings
import StorageService
import TestTurns
import Testing

/// The files that ship with the services.
@Suite(.inShortTurn, .timeLimit(.minutes(5)))
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
        for key in schema.keys { #expect(settings.optionalString(key.name) == key.defaultText) }
    }

    @Test(arguments: [SettingsSchema.storage, .query])
    func nameEveryKey(schema: SettingsSchema) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(schema.service).yaml"), encoding: .utf8)
        for key in schema.keys + schema.groups.flatMap(\.fields) {
            let word = key.name.split(separator: ".").last ?? ""
            #expect(text.contains("\(word):"))
        }
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
