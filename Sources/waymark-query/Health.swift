// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import QueryService
import ServiceHost

/// `waymark-query health`.
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-query health",
        abstract: "Tells whether the running service is ready.",
        usage: """
            waymark-query health [--live] [--timeout TIME] [--config FILE]
                [--KEY VALUE ...]
            """,
        discussion: HealthArguments.discussion(.query))

    @OptionGroup var arguments: HealthArguments

    func run() async throws { try await arguments.check(.query) { try QueryAccess.ownKeys($0) } }
}
