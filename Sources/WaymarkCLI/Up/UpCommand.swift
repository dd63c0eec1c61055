// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Glibc
import Hooks
import Logging
import QueryService
import ServiceHost
import ServiceLifecycle
import Settings
import UnixSignals
import WaymarkProtocol
import Web
import WebServer

/// The command that runs both services in one process, which is the simplest way.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        leaf: "up",
        abstract: "Run both services in this process until Ctrl-C.",
        discussion: """
            Keeps the data in one directory, listens on one endpoint, and fetches the sources of config/query.yaml.
            Storage takes commands on an ipc socket in the data directory, for this user only.

              waymark up
              waymark up --data ./try --listen tcp://127.0.0.1:9000
              waymark up --accounts --listen tcp://0.0.0.0:7420     for other machines too
            """)

    @Option(
        help: "The directory of the database. Default: waymark in the XDG data directory.", completion: .directory)
    var data: String?

    @Option(.listening, "Endpoint for requests. Default: \(WaymarkProtocol.defaultQueryEndpoint).")
    var listen: String?

    @Option(.listening, "Endpoint where changes are published. Default: that of --listen, with the port two higher.")
    var changes: String?

    @Option(
        help: "A YAML file like waymark-query's, for its sources. Default: config/query.yaml.",
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        ValueForm<ListenAddress>(word: "host:port", read: Values.webAddress),
        "Address of the map and of the HTTP interface; port 0: any free one. Default: \(WebOptions.defaultAddress).")
    var web: ListenAddress?

    @Flag(help: "Serve no map and no HTTP interface.")
    var noWeb = false

    @Flag(help: "Everybody signs in, and everything is encrypted. Without it anybody who connects may do everything.")
    var accounts = false

    @Option(help: "The lowest level of log messages to show: debug, info, warning, error …")
    var logLevel: Logger.Level = .warning

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let file = config ?? StandardLocations.configuration("query")
        let settings = try BadValue.unless {
            try Settings.load(schema: .query, file: file, environment: environment, arguments: [])
        }
        let needsAccounts = accounts || settings.string("accounts") == "required"
        var query = try BadValue.unless { try QueryOptions(settings) }
        var pages = try BadValue.unless { try WebOptions(settings) }
        let hooks = try BadValue.unless { try HookOptions(settings) }
        // The settings name the allowed hosts and origins, even if the address to listen at comes from an option.
        if pages == nil {
            pages = try BadValue.unless { try WebOptions(WebOptions.defaultAddress, settings) }
            pages?.mayMove = web == nil
        }
        if let listen { query.listen = listen }
        if let web { pages?.address = web }
        if noWeb { pages = nil }
        let logger = HostLog(service: "waymark", level: logLevel).logger
        let directory = data ?? StandardLocations.dataDirectory(environment)
        do {
            try Self.makeDirectory(directory)
            if file == nil {
                if query.sources.isEmpty { query.sources = [try DefaultSource.definition(in: directory)] }
                if query.rates == nil { query.rates = try DefaultRates.source(in: directory) }
            }
            if needsAccounts { query.access = try UpAccess.make(directory, listen: query.listen) }
            let server = try await UpServer(
                directory: directory, query: query, changes: changes, pages: pages, hooks: hooks, logger: logger)
            try await ServiceGroup(
                services: ([ServerRunner(server), server.web, server.hooks] as [(any Service)?]).compactMap { $0 },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
            ).run()
        } catch {
            throw error as? Failure ?? Failure.failed("\(error)")
        }
    }

    /// Makes the folder of the database if it does not exist, because other files are written there first.
    private static func makeDirectory(_ directory: String) throws(Failure) {
        var isFolder = false
        if FileManager.default.fileExists(atPath: directory, isDirectory: &isFolder) {
            guard !isFolder else { return }
            throw .usage("\(directory) is a file: name the folder of the database with --data.")
        }
        do { try UserFolder.make(directory) } catch {
            throw Failure(
                .failed, "data",
                "The data directory \(directory) cannot be made (\(String(cString: strerror(errno)))): correct that, or "
                    + "name another one with --data.")
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
