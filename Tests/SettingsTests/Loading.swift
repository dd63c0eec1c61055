// SPDX-License-Identifier: Apache-2.0

import Foundation
import Settings

/// Loads settings of `schema` from layers in the test's source.
struct Loading {
    var schema = SettingsSchema.storage
    var yaml: String?
    var environment: [String: String] = [:]
    var arguments: [String] = []

    func load() throws -> Settings {
        guard let yaml else {
            return try Settings.load(schema: schema, file: nil, environment: environment, arguments: arguments)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.yaml").path(percentEncoded: false)
        try Data(yaml.utf8).write(to: URL(filePath: file))
        return try Settings.load(schema: schema, file: file, environment: environment, arguments: arguments)
    }

    /// The error's sentence without the file's folder; nil if there is no error.
    func problem() throws -> String? {
        do {
            _ = try load()
            return nil
        } catch let error as SettingsError {
            let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
            return error.description.replacing(try Regex("\(folder)/?settings-[0-9A-F-]+/"), with: "")
        }
    }
}
