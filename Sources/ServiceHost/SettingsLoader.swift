// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Settings

/// Reads a service's settings, as often as needed.
struct SettingsLoader: Sendable {
    /// Shows whether a file may have changed.
    struct Stamp: Equatable, Sendable {
        var path: String
        var seconds = 0
        var nanoseconds = 0
        var bytes = 0
        /// A file that replaces another has a different inode, even if its modification time is older.
        var inode: UInt64 = 0
    }

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

    /// Nil while no file is configured or found.
    var stamp: Stamp? {
        guard let file else { return nil }
        var stamp = Stamp(path: file)
        var status = stat()
        // Follows symbolic links, because mounted configurations use them.
        guard stat(file, &status) == 0 else { return stamp }
        stamp.seconds = status.st_mtim.tv_sec
        stamp.nanoseconds = status.st_mtim.tv_nsec
        stamp.bytes = status.st_size
        stamp.inode = UInt64(status.st_ino)
        return stamp
    }
}
