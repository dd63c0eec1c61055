// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StorageService
import ServiceHost
import Settings

/// `waymark-storage health`.
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-storage health",
        abstract: "Tells whether the running service is ready.",
        usage: """
            waymark-storage health [--live] [--timeout TIME] [--config FILE]
                [--KEY VALUE ...]
            """,
        discussion: HealthArguments.discussion(.storage))

    @OptionGroup var arguments: HealthArguments

    func run() async throws { try await arguments.check(.storage) { try StorageOptions.ownKeys($0) } }
}
