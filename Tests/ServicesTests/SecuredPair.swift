// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Logging
import QueryService
import StorageService
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// Storage and query in this process with accounts required, over loopback, each with keys and a context of its own.
final class SecuredPair: Sendable {
    let contexts: [Context]
    let storage: StorageServer
    let query: QueryServer
    let storageKeys: CurveKeyPair
    let serviceKeys: CurveKeyPair
    let storageEndpoint: String
    let changesEndpoint: String
    let endpoint: String
    let signIn: String
    let serverKeyEndpoint: String
    let directory: TemporaryDirectory
    private let own = Locked<[WaymarkClient]>([])

    /// - Parameters:
    ///   - strangersRate: how many requests a second are taken from strangers; nil: as many as ordinarily.
    ///   - isRelay: whether the query service publishes changes too.
    ///   - connections: the most of each socket of the query service.
    ///   - isOpen: whether anybody may make an account.
    ///   - handler: decides about the query service's keys, in the context `context`; nil: one of its own.
    init(
        directory: TemporaryDirectory? = nil, strangersRate: Int? = nil, isRelay: Bool = false,
        connections: Int = 4_096, handler: ZAPHandler? = nil, context: Context? = nil, isOpen: Bool = false
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        let contexts = [try Context(), try context ?? Context(), try Context()]
        self.contexts = contexts
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var ofStorage = StorageOptions(
            directory: directory.path + "/data", listen: "tcp://127.0.0.1:*", changes: "tcp://127.0.0.1:*",
            beacon: .milliseconds(200), diskReserve: 0)
        try ofStorage.useTestedEngine(directory.path)
        ofStorage.longestWait = Pair.longestWait
        let serviceFile = directory.path + "/service.key"
        ofStorage.access = StorageAccess(
            keyFile: directory.path + "/data/storage.key", serviceFile: serviceFile)
        ofStorage.access?.isOpen = isOpen
        storage = try StorageServer(ofStorage, context: contexts[0], logger: logger)
        (storageEndpoint, changesEndpoint) = try await storage.start()
        storageKeys = try KeyFile(path: directory.path + "/data/storage.key").keys
        let service = try KeyFile(path: serviceFile)
        serviceKeys = service.keys
        var ofQuery = QueryOptions(listen: "tcp://127.0.0.1:*", storage: storageEndpoint)
        ofQuery.access = QueryAccess(
            keys: service.keys, storage: service.server, signIn: "tcp://127.0.0.1:*",
            serverKeyEndpoint: "tcp://127.0.0.1:*")
        ofQuery.access?.handler = handler
        ofQuery.connections = connections
        ofQuery.longestWait = Pair.longestWait
        if isRelay { ofQuery.relay = RelayOptions(listen: "tcp://127.0.0.1:*") }
        if let strangersRate { ofQuery.access?.strangersRate = strangersRate }
        query = try QueryServer(ofQuery, context: contexts[1], logger: logger)
        endpoint = try await query.start()
        signIn = try #require(await query.signInEndpoint)
        serverKeyEndpoint = try #require(await query.serverKeyEndpoint)
        guard await query.waitUntilReady(timeout: .seconds(60)) else { throw Pair.NotReady() }
    }

    func client(
        _ keys: CurveKeyPair?, at endpoint: String? = nil, server: CurveKey? = nil, timeout: Duration = .seconds(60)
    ) async throws -> WaymarkClient {
        let pinned = ClientKeys(own: try keys ?? CurveKeyPair.generate(), server: server ?? serviceKeys.publicKey)
        var options = ClientOptions(
            endpoint: endpoint ?? self.endpoint, timeout: timeout, keys: keys == nil && server == nil ? nil : pinned)
        options.whenRefused = .giveUp
        let client = try await WaymarkClient(options, context: contexts[2])
        own.withLock { $0.append(client) }
        return client
    }

    /// Starts another query service for as long as `body` runs, which gets its endpoint.
    func withSecondQuery(_ body: (String) async throws -> Void) async throws {
        let context = try Context()
        var options = QueryOptions(listen: "tcp://127.0.0.1:*", storage: storageEndpoint)
        options.access = QueryAccess(
            keys: serviceKeys, storage: storageKeys.publicKey, signIn: "tcp://127.0.0.1:*",
            serverKeyEndpoint: "tcp://127.0.0.1:*")
        let second = try QueryServer(options, context: context, logger: Logger(label: "test"))
        do {
            let endpoint = try await second.start()
            // Before it has the accounts it knows no key.
            guard await second.waitUntilReady(timeout: .seconds(60)) else { throw Pair.NotReady() }
            try await body(endpoint)
        } catch {
            await second.stop()
            context.terminate()
            throw error
        }
        await second.stop()
        context.terminate()
    }

    /// Storage's own machine.
    func machine() async throws -> WaymarkClient {
        try await client(storageKeys, at: storageEndpoint, server: storageKeys.publicKey)
    }

    /// Makes an account and signs in.
    func account(_ name: String, _ role: Role) async throws -> (keys: CurveKeyPair, client: WaymarkClient) {
        let machine = try await machine()
        let code = try #require(try await machine.createAccount(name, role).code)
        let keys = try CurveKeyPair.generate()
        let newcomer = try await client(keys, at: signIn, server: serviceKeys.publicKey)
        _ = try await newcomer.signIn(name, password: Self.password(name), code: code)
        return (keys, try await client(keys))
    }

    static func password(_ name: String) -> [UInt8] { Array("secret of \(name)".utf8) }

    func stop() async {
        for client in own.withLock({ $0 }) { await client.close() }
        await query.stop()
        await storage.stop()
        for context in contexts { context.terminate() }
    }
}

func withSecuredPair(
    strangersRate: Int? = nil, isRelay: Bool = false, connections: Int = 4_096, isOpen: Bool = false,
    _ body: (SecuredPair) async throws -> Void
) async throws {
    let pair = try await SecuredPair(
        strangersRate: strangersRate, isRelay: isRelay, connections: connections, isOpen: isOpen)
    do {
        try await body(pair)
    } catch {
        await pair.stop()
        throw error
    }
    await pair.stop()
}

/// The code of a refusal, or the name of another error of a client; nil if there is none.
func refusal(_ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch ClientError.refused(let error) {
        return error.code.name
    } catch ClientError.keyRefused {
        return "key refused"
    } catch ClientError.otherServer {
        return "other server"
    } catch ClientError.cannotConnect {
        return "cannot connect"
    } catch ClientError.timedOut {
        return "timed out"
    } catch {
        return "\(error)"
    }
}
