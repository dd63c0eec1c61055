// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StorageService
import ServiceHost

/// `waymark-storage health`.
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-storage health",
        abstract: "Tells whether the running service is ready.",
        usage: """
            waymark-storage health [--live] [--timeout TIME] [--config FILE]
                [--KEY VALUE ...]
            waymark-storage health --standby [--timeout TIME] [--config FILE]
                [--KEY VALUE ...]
            """,
        discussion: HealthArguments.discussion(.storage))

    @Flag(help: "Also accept a storage that waits to take over. Needs http.listen.")
    var standby = false

    @OptionGroup var arguments: HealthArguments

    func run() async throws {
        try await arguments.check(.storage, tolerating: standby ? StorageServer.waiting : nil) {
            try StorageOptions.ownKeys($0)
        }
    }
}
