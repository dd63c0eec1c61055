// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServiceHost
import Settings
import StorageService
import WaymarkProtocol

@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-storage",
        abstract: "Keeps the landmarks and their change log, and publishes every change.",
        usage: """
            waymark-storage [--config FILE] [--KEY VALUE ...]
            waymark-storage health [--live] [--timeout TIME] [...]
            waymark-storage copy --to TARGET [...]
            waymark-storage admin create|adopt ...
            waymark-storage keys new|list|end ...
            """,
        discussion: """
            "admin" makes the first account, and "keys" those of query services: see their
            --help. Both ask the running service, on its own machine.

            With "health" as the first argument it checks the running service, for a
            container's health check: see `waymark-storage health --help`.

            Settings come from defaults, then the file, then the environment, then flags:

            \(SettingsSchema.storage.describe())
            """,
        version: Product.version)

    @Option(help: "A YAML file with settings. Default: config/storage.yaml, or /etc/waymark/storage.yaml.")
    var config: String?

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var settings: [String] = []

    static func main() async {
        await ServiceHost.main(
            Self.self, others: ["health": Health.self, "copy": Copy.self, "admin": Admin.self, "keys": Keys.self])
    }

    func run() async throws {
        try await ServiceHost.run(.storage, file: config, arguments: settings) {
            try StorageServer(try StorageOptions($0, environment: $1), context: $2, logger: $3)
        }
    }
}
