// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Settings

/// Reads a service's settings. They can be read repeatedly.
struct SettingsLoader: Sendable {
    let schema: SettingsSchema
    /// The path of a YAML file; nil for the service's standard file, if it exists when the settings are read.
    let named: String?
    let arguments: [String]

    func load() throws(SettingsError) -> Settings {
        try Settings.load(
            schema: schema, file: file, environment: ProcessInfo.processInfo.environment, arguments: arguments)
    }

    private var file: String? { named ?? StandardLocations.configuration(schema.service) }

    /// A text that differs whenever the file may have changed; nil if there is no file.
    var stamp: String? {
        guard let file else { return nil }
        var status = stat()
        // `stat` follows symbolic links, which mounted configurations use.
        guard stat(file, &status) == 0 else { return file }
        let (size, time) = (status.st_size, status.st_mtim)
        // A file that has replaced another has a different inode, even if its modification time is older.
        return "\(file) \(time.tv_sec).\(time.tv_nsec) \(size) \(status.st_ino)"
    }
}
