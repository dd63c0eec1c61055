// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import QueryService
import StorageService
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// Storage and relays in this process, each of which can be stopped and started again at the same endpoints.
actor RelayStage {
    nonisolated let context: Context
    nonisolated let directory: TemporaryDirectory
    private var storage: StorageServer?
    private var relays: [Int: QueryServer] = [:]
    private var clients: [WaymarkClient] = []
    private let bytes: Int
    private let changes: String?
    private let logger: Logger

    /// - Parameters:
    ///   - bytes: how much each relay keeps in memory.
    ///   - changes: where storage publishes; nil: at an endpoint in the folder.
    init(bytes: Int = 1 << 20, changes: String? = nil) throws {
        (context, directory, self.bytes, self.changes) = (try Context(), try TemporaryDirectory(), bytes, changes)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        self.logger = logger
    }

    nonisolated var data: String { directory.path + "/data" }
    nonisolated func endpoint(_ name: String) -> String { "ipc://\(directory.path)/\(name)" }

    func startStorage() async throws {
        let options = StorageOptions(
            directory: data, listen: endpoint("s"), changes: changes ?? endpoint("c"), beacon: .milliseconds(100),
            diskReserve: 0)
        storage = try StorageServer(options, context: context, logger: logger)
        _ = try await storage?.start()
    }

    func stopStorage() async {
        await storage?.stop()
        storage = nil
    }

    /// - Parameters:
    ///   - source: the relay whose feed it follows; nil: storage's.
    ///   - changes: where it follows storage's; nil: where storage says.
    ///   - other: the relay whose feed it names to its clients; nil: its own.
    @discardableResult
    func startRelay(
        _ number: Int, behind source: Int? = nil, changes: String? = nil, naming other: Int? = nil
    ) async throws -> QueryServer {
        var options = QueryOptions(listen: endpoint("q\(number)"), storage: endpoint("s"))
        if let followed = source.map({ endpoint("r\($0)") }) ?? changes { options.changes = [followed] }
        options.relay = RelayOptions(
            listen: endpoint("r\(number)"), advertise: other.map { endpoint("r\($0)") }, bytes: bytes)
        options.relay?.beacon = .milliseconds(100)
        let relay = try QueryServer(options, context: context, logger: logger)
        relays[number] = relay
        _ = try await relay.start()
        guard await relay.waitUntilReady(timeout: .seconds(60)) else { throw Pair.NotReady() }
        return relay
    }

    func stopRelay(_ number: Int) async { await relays.removeValue(forKey: number)?.stop() }

    /// A client of a relay, or of storage itself.
    func client(of relay: Int?, timeout: Duration = .seconds(60)) async throws -> WaymarkClient {
        let client = try await WaymarkClient(
            .init(endpoint: endpoint(relay.map { "q\($0)" } ?? "s"), user: "armando", timeout: timeout),
            context: context)
        clients.append(client)
        return client
    }

    func counter(_ name: String, of relay: Int) async throws -> UInt64 {
        let client = try await client(of: relay)
        return HostileTests.counter(name, try await client.status().query?.counters)
    }

    func stop() async {
        for client in clients { await client.close() }
        for relay in relays.values { await relay.stop() }
        await storage?.stop()
        context.terminate()
    }
}

/// Runs `body` with storage and two relays on it.
func withRelays(bytes: Int = 1 << 20, _ body: (RelayStage) async throws -> Void) async throws {
    let stage = try RelayStage(bytes: bytes)
    do {
        try await stage.startStorage()
        for number in 0..<2 { try await stage.startRelay(number) }
        try await body(stage)
    } catch {
        await stage.stop()
        throw error
    }
    await stage.stop()
}
