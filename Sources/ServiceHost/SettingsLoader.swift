// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Settings

/// Reads a service's settings, as often as needed.
struct SettingsLoader: Sendable {
    let schema: SettingsSchema
    /// A YAML file; nil: the service's standard file, if it exists when the settings are read.
    let named: String?
    let arguments: [String]

    func load() throws(SettingsError) -> Settings {
        try Settings.load(
            schema: schema, file: file, environment: ProcessInfo.processInfo.environment, arguments: arguments)
    }

    private var file: String? { named ?? StandardLocations.configuration(schema.service) }

    /// A text that changes whenever the file may have changed; nil while no file is configured or found.
    var stamp: String? {
        guard let file else { return nil }
        var status = stat()
        // `stat` follows symbolic links, which mounted configurations use.
        guard stat(file, &status) == 0 else { return file }
        let (size, time) = (status.st_size, status.st_mtim)
        // A file that replaces another has a different inode, even if its modification time is older.
        return "\(file) \(time.tv_sec).\(time.tv_nsec) \(size) \(status.st_ino)"
    }
}
