// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Hooks
import Logging
import QueryService
import ServiceHost
import ServiceLifecycle
import StorageService
import WaymarkProtocol
import WaymarkTransport
import Web
import WebServer
import ZeroMQ

/// Runs both services in one process, and prints the messages of their start.
final class UpServer: HostedServer {
    private let context: Context
    private let directory: String
    private let storage: StorageServer
    private let query: QueryServer
    private let options: QueryOptions
    /// The endpoint that was requested for the feed.
    private let changes: String
    private let sockets: SocketDirectory
    /// The ZAP handler, which decides who may connect; nil if accounts are not required.
    private let handler: ZAPHandler?
    /// The HTTP interface, which runs beside this server; nil if there is none.
    let web: (any Service)?
    /// The delivery of hooks, which runs beside this server too; nil if it is switched off.
    let hooks: HookService?
    /// A stream that yields the address of the HTTP interface once it listens.
    private let addresses: AsyncStream<ListenAddress>
    private let readiness = Startup()

    /// - Parameters:
    ///   - changes: the endpoint at which changes are published; nil to derive it from the endpoint for requests.
    ///   - pages: the options of the HTTP interface; nil if there is none.
    ///   - hooks: the options of hooks; nil to deliver none.
    init(
        directory: String, query options: QueryOptions, changes: String?, pages: WebOptions?, hooks: HookOptions?,
        logger: Logger
    ) async throws {
        self.directory = directory
        context = try Context(ioThreads: IOThreads.count)
        sockets = try SocketDirectory(preferring: directory)
        var options = options
        options.isBesideWeb = pages != nil
        let commands = sockets.endpoint("commands.ipc")
        options.storages = [commands]
        options.changes = []
        if options.rates?.kept == nil { options.rates?.kept = directory + "/rates-fetched.json" }
        // A ZeroMQ context has room for one handler, and both services share this context.
        handler = options.access == nil ? nil : try await ZAPHandler(context: context)
        options.access?.handler = handler
        self.options = options
        var ofStorage = StorageOptions(
            directory: directory, listen: commands,
            changes: changes ?? Self.feed(beside: options) ?? sockets.endpoint("changes.ipc"),
            isInsecure: options.isInsecure)
        // Clients on other machines have to know the port beforehand, so it must not be replaced by a free one.
        ofStorage.mayMoveChanges = changes == nil && ListenRule.isLocal(ofStorage.changes)
        ofStorage.isBesideWeb = pages != nil
        self.changes = ofStorage.changes
        if options.access != nil {
            ofStorage.access = StorageAccess(
                keyFile: StorageOptions.keyFile(in: directory),
                serviceFile: StorageOptions.serviceKeyFile(in: directory))
            ofStorage.access?.handler = handler
        }
        storage = try StorageServer(ofStorage, context: context, logger: logger)
        let query = try QueryServer(options, context: context, logger: logger)
        self.query = query
        let access = options.access.map {
            WebAccess(keys: $0.keys, book: query.accounts.book, settle: { await query.accounts.settle($0) })
        }
        self.hooks = hooks.map { [readiness, context] hooks in
            HookService(
                hooks, endpoint: { await query.endpoint(after: readiness) }, local: query.local,
                keys: options.access?.keys, context: context, logger: logger)
        }
        let (addresses, listening) = AsyncStream.makeStream(of: ListenAddress.self)
        self.addresses = addresses
        web = pages.map { [readiness, context] pages in
            UpWeb(options: pages) { options in
                WebListener(
                    options, endpoint: { await query.endpoint(after: readiness, preparesTiles: true) },
                    local: query.local, access: access, context: context, logger: logger,
                    listening: { listening.yield($0) })
            }
        }
    }

    func start() async throws {
        let progress = UpProgress("Opening the database in \(directory)")
        defer { progress.end() }
        let feed = try await naming(changes, " of the feed", "--changes") { try await storage.start().changes }
        progress.step("Loading the landmarks")
        let endpoint = try await naming(options.listen, "", "--listen") { try await query.start() }
        // Wait without a time limit: a load that makes progress continues, and only a person ends it.
        let isReady = await cancelWhenGracefulShutdown { [query] in await query.waitUntilReady() }
        guard isReady else { return }
        readiness.end()
        // If the HTTP interface cannot listen, its error ends the whole service group.
        let map: ListenAddress? =
            web == nil
            ? nil : await cancelWhenGracefulShutdown { [addresses] in await addresses.first { _ in true } }
        guard web == nil || map != nil else { return }
        progress.end()
        say("Waymark \(Product.version) is up. Data: \(directory)")
        if let access = options.access {
            say("Accounts are required. This service has the fingerprint \(Fingerprint(access.keys.publicKey)).")
            say("The first administrator: waymark-storage admin create NAME --accounts required --data \(directory) \\")
            say("  --listen \(options.storages[0])")
        } else {
            say("Accounts are not required: anybody who can connect may do everything. (--accounts)")
        }
        if !ListenRule.isLocal(feed) {
            say("Changes are published on \(feed): other machines need this port too.")
        } else if let asked = Endpoint.onThisMachine(changes), asked != feed {
            say("The address \(asked) is taken, so changes are published on \(feed).")
        }
        if options.sources.isEmpty { say("No sources are configured: see config/query.yaml.") }
        // The person wants to see landmarks, so print the results of fetches that end quickly before the guide.
        let (missing, fetched) = (Locked(Set(options.sources.map(\.name))), ChangeSignal())
        Task { [query] in
            for await news in query.ingestReports {
                UpGuide.say(UpGuide.line(for: news))
                missing.withLock { _ = $0.remove(news.source.name) }
                fetched.send()
            }
        }
        Task { [needsAccounts = options.access != nil] in
            await fetched.wait(atMost: .seconds(2)) { missing.withLock { $0.isEmpty } }
            UpGuide.show(endpoint, map: map.map { "http://\($0)" }, needsAccounts: needsAccounts)
        }
    }

    /// Returns the endpoint whose port is two above the port for requests, on the same host. Nil if only this process
    /// needs the feed, because requests do not come by TCP or a relay publishes the changes to clients.
    private static func feed(beside options: QueryOptions) -> String? {
        guard options.relay == nil else { return nil }
        return Endpoint.beside(options.listen, QueryAccess.feedOffset) ?? Endpoint.anyPort(options.listen)
    }

    /// Adds the name of the option to an error about an endpoint that is already in use.
    private func naming(
        _ endpoint: String, _ purpose: String, _ option: String, start: () async throws -> String
    ) async throws -> String {
        do { return try await start() } catch let error as ZeroMQError
            where error.code == .addressInUse && error.endpoint == endpoint
        {
            throw Failure.failed(
                "The address \(endpoint)\(purpose) is taken: stop the server there, or give another one with "
                    + "\(option).")
        }
    }

    func stop() async {
        await query.stop()
        await storage.stop()
        await handler?.stop()
        context.terminate()
        sockets.remove()
    }

    private func say(_ line: String) { UpGuide.say(line) }
}

/// The folder for the sockets between the two services: the data directory, unless its path is too long for a socket.
struct SocketDirectory {
    /// The maximum length of a socket's path in bytes: `sun_path` has 108 bytes, and one is for the terminating zero.
    private static let longestPath = 107
    private static let longestName = "/commands.ipc".utf8.count

    let path: String
    private let isTemporary: Bool

    init(preferring directory: String) throws {
        let absolute = URL(fileURLWithPath: directory).path
        isTemporary = absolute.utf8.count + Self.longestName > Self.longestPath
        path = try (isTemporary ? UserFolder.temporary("/tmp/waymark") : absolute)
            .or(.failed("The path \(absolute) is too long for sockets: shorten it with --data."))
    }

    func endpoint(_ name: String) -> String { "ipc://\(path)/\(name)" }

    func remove() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
