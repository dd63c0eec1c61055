// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Logging
import Monitoring
import QueryService
import ServiceLifecycle
import StorageRules
import StorageService
import Synchronization
import TestWeb
import WaymarkClient
import WaymarkJSON
import WebServer
import ZeroMQ

@testable import Web

/// Storage, query and the HTTP interface in this process.
final class WebStage: Sendable {
    let context: Context
    let query: QueryServer
    let endpoint: String
    let port: UInt16
    let directory: String
    let options: WebOptions
    let metrics = WebMetrics()
    private let storage: Mutex<StorageServer>
    private let machine: ClientKeys?
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(
        retention: Retention = Retention(), rates: RatesSource? = nil, accounts: Bool = false, signUp: Bool = false,
        _ change: (inout WebOptions) -> Void = { _ in }
    ) async throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        directory = String(cString: made)
        context = try Context()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var ofStorage = Self.storageOptions(directory, retention)
        let handler = accounts ? try await ZAPHandler(context: context) : nil
        if accounts {
            ofStorage.access = StorageAccess(
                keyFile: directory + "/storage.key", serviceFile: directory + "/service.key")
            ofStorage.access?.handler = handler
            ofStorage.access?.isOpen = signUp
        }
        let server = try StorageServer(ofStorage, context: context, logger: logger)
        _ = try await server.start()
        storage = Mutex(server)
        var ofQuery = QueryOptions(listen: "ipc://\(directory)/q", storage: "ipc://\(directory)/s")
        ofQuery.rates = rates
        if accounts {
            let service = try KeyFile(path: directory + "/service.key")
            ofQuery.access = QueryAccess(keys: service.keys, storage: service.server)
            ofQuery.access?.handler = handler
        }
        let own = accounts ? try KeyFile(path: directory + "/storage.key").keys : nil
        machine = own.map { ClientKeys(own: $0, server: $0.publicKey, ofStorage: true) }
        query = try QueryServer(ofQuery, context: context, logger: logger)
        let access = ofQuery.access.map { [query] in
            WebAccess(keys: $0.keys, book: query.accounts.book, settle: { await query.accounts.settle($0) })
        }
        endpoint = try await query.start()
        guard await query.waitUntilReady(timeout: .seconds(60)) else { throw CocoaError(.featureUnsupported) }
        var options = WebOptions(ListenAddress(host: "127.0.0.1", port: 0))
        options.beacon = .milliseconds(300)
        // An answer, above all one that needs the hash of a password, may take seconds on a busy machine.
        options.timeout = .seconds(60)
        change(&options)
        self.options = options
        let bound = AsyncStream.makeStream(of: UInt16.self)
        let listener = WebListener(
            options, endpoint: { [endpoint] in endpoint }, local: query.local, access: access, context: context,
            logger: logger, metrics: metrics,
            listening: { bound.continuation.yield($0.port) })
        let group = ServiceGroup(services: [listener], logger: logger)
        self.group = group
        running = Task {
            defer { bound.continuation.finish() }
            try await group.run()
        }
        var ports = bound.stream.makeAsyncIterator()
        guard let port = await ports.next() else { throw CocoaError(.featureUnsupported) }
        self.port = port
    }

    private static func storageOptions(_ directory: String, _ retention: Retention) -> StorageOptions {
        StorageOptions(
            directory: directory + "/data", listen: "ipc://\(directory)/s", changes: "ipc://\(directory)/c",
            beacon: .milliseconds(200), retention: retention, diskReserve: 0)
    }

    func stopStorage() async { await storage.withLock { $0 }.stop() }

    func startStorage() async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try StorageServer(
            Self.storageOptions(directory, Retention()), context: context, logger: logger)
        storage.withLock { $0 = server }
        _ = try await server.start()
    }

    /// With accounts that of storage's own machine.
    func client() async throws -> WaymarkClient {
        try await WaymarkClient(
            ClientOptions(
                endpoint: machine == nil ? endpoint : "ipc://\(directory)/s", user: "armando", timeout: .seconds(60),
                keys: machine), context: context)
    }

    func ask(
        _ method: String = "GET", _ path: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> PlainHTTP.Answer {
        try await PlainHTTP.request(method, port: port, path, headers: headers, body: body)
    }

    func stop() async {
        await group.triggerGracefulShutdown()
        _ = try? await running.value
        await query.stop()
        await stopStorage()
        context.terminate()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Runs `body` with a stage and a client of the bus, and stops both in any case.
///
/// - Parameter signUp: whether anybody may make an account.
func withStage(
    rates: RatesSource? = nil, accounts: Bool = false, signUp: Bool = false,
    _ change: (inout WebOptions) -> Void = { _ in }, _ body: (WebStage, WaymarkClient) async throws -> Void
) async throws {
    let stage = try await WebStage(rates: rates, accounts: accounts, signUp: signUp, change)
    let client = try await stage.client()
    do {
        try await body(stage, client)
    } catch {
        await client.close()
        await stage.stop()
        throw error
    }
    await client.close()
    await stage.stop()
}

extension PlainHTTP.Answer {
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
}
