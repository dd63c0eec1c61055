// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Hooks
import QueryService
import ServiceHost
import ServiceLifecycle
import Settings
import WaymarkProtocol
import Web

@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-query",
        abstract: "Fetches landmarks from remote sources, and answers what is near in true order of distance.",
        usage: """
            waymark-query [--config FILE] [--KEY VALUE ...]
            waymark-query health [--live] [--timeout TIME] [...]
            """,
        discussion: """
            With "health" as the first argument it checks the running service, for a
            container's health check: see `waymark-query health --help`.

            Settings come from defaults, then the file, then the environment, then flags:

            \(SettingsSchema.query.describe())
            """,
        version: Product.version)

    @Option(help: "A YAML file with settings. Default: config/query.yaml, or /etc/waymark/query.yaml.")
    var config: String?

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var settings: [String] = []

    static func main() async {
        await ServiceHost.main(Self.self, others: ["health": Health.self])
    }

    func run() async throws {
        try await ServiceHost.run(
            .query, file: config, arguments: settings,
            make: { settings, _, context, logger in
                var options = try QueryOptions(settings)
                options.access = try QueryAccess(settings, listen: options.listen)
                return try QueryServer(options, context: context, logger: logger)
            },
            beside: { settings, server, startup, context, logger in
                let keys = try QueryAccess.ownKeys(settings)
                let web = try WebOptions(settings).map { options in
                    WebListener(
                        options, endpoint: { await server.endpoint(after: startup, preparesTiles: true) },
                        local: server.local,
                        access: keys.map { keys in
                            WebAccess(
                                keys: keys, book: server.accounts.book, settle: { await server.accounts.settle($0) })
                        }, context: context, logger: logger)
                }
                let hooks = try HookOptions(settings).map { options in
                    HookService(
                        options, endpoint: { await server.endpoint(after: startup) }, local: server.local, keys: keys,
                        context: context, logger: logger)
                }
                return [web as (any Service)?, hooks].compactMap { $0 }
            })
    }
}
