// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Settings

/// Reads a service's settings, as often as needed.
struct SettingsLoader: Sendable {
    let schema: SettingsSchema
    private let named: String?
    private let environment: [String: String]
    private let arguments: [String]

    /// - Parameter file: a YAML file; nil: the service's standard file, if it exists when the settings are read.
    init(
        _ schema: SettingsSchema, file: String?, arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.schema = schema
        named = file
        self.arguments = arguments
        self.environment = environment
    }

    func load() throws(SettingsError) -> Settings {
        try Settings.load(schema: schema, file: file, environment: environment, arguments: arguments)
    }

    private var file: String? { named ?? StandardLocations.configuration(schema.service) }

    /// A text that is another one when the file may have changed; nil while no file is configured or found.
    var stamp: String? {
        guard let file else { return nil }
        var status = stat()
        // Follows symbolic links, because mounted configurations use them.
        guard stat(file, &status) == 0 else { return file }
        let (size, time) = (status.st_size, status.st_mtim)
        // A file that replaces another has a different inode, even if its modification time is older.
        return "\(file) \(time.tv_sec).\(time.tv_nsec) \(size) \(status.st_ino)"
    }
}
