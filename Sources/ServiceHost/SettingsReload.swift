// SPDX-License-Identifier: Apache-2.0

import Logging
import Settings

/// Reads the settings again while a service runs, compares them with the present ones, and applies what can change.
actor SettingsReload {
    private let loader: SettingsLoader
    private let server: any MonitoredServer
    private let log: HostLog
    private let logger: Logger
    private var settings: Settings
    private var stamp: String?

    /// - Parameter settings: the settings that the service was started with.
    init(_ loader: SettingsLoader, _ settings: Settings, _ server: any MonitoredServer, _ log: HostLog) {
        (self.loader, self.settings, self.server, self.log) = (loader, settings, server, log)
        logger = log.logger
        stamp = loader.stamp
    }

    /// Reloads the settings if the file has changed.
    func look() async {
        if loader.stamp != stamp { await reload() }
    }

    /// Reloads the settings. If the file is invalid, this is logged and the old settings stay.
    func reload() async {
        stamp = loader.stamp
        do {
            let fresh = try loader.load()
            let changed = fresh.differences(from: settings)
            try await server.apply(fresh)
            log.level = Logger.Level(rawValue: fresh.string("log.level")) ?? log.level
            tell(changed)
            settings = fresh
        } catch {
            logger.error(
                "the settings cannot be reloaded, the old ones stay", metadata: ["error": "\(error)"])
        }
    }

    private func tell(_ changed: [String]) {
        let isLive = { [server] (key: String) in
            key == "log.level" || server.liveSettings.contains { key == $0 || key.hasPrefix($0 + ".") }
        }
        let taken = changed.filter(isLive).joined(separator: ", ")
        let left = changed.filter { !isLive($0) }.joined(separator: ", ")
        logger.info("settings reloaded", metadata: ["changed": "\(taken.isEmpty ? "none" : taken)"])
        if !left.isEmpty {
            logger.warning("some changed settings need a restart of the service", metadata: ["settings": "\(left)"])
        }
    }
}
