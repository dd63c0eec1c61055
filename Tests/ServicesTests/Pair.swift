// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import Landmarks
import Logging
import QueryService
import StorageRules
import StorageService
import TestPostgreSQL
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// The transports between services and clients.
enum Transport: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case inproc, ipc, tcp

    var testDescription: String { rawValue }

    /// A unique endpoint.
    func endpoint(_ name: String, in directory: TemporaryDirectory) -> String {
        switch self {
        case .inproc: "inproc://\(name)-\(directory.unique)"
        case .ipc: "ipc://\(directory.path)/\(name)"
        case .tcp: "tcp://127.0.0.1:*"
        }
    }
}

/// A temporary folder that is deleted with its last reference.
final class TemporaryDirectory: Sendable {
    let path: String
    var unique: String { (path as NSString).lastPathComponent }

    init() throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension StorageOptions {
    /// The engine that these tests are for.
    ///
    /// - Parameter directory: a storage with the same one finds the same database.
    mutating func useTestedEngine(_ directory: String) throws {
        if let url = try TestedEngine.url(of: directory) { server = try EngineSetting.server(url) }
    }
}

/// Storage and query in this process, as in `waymark up`.
final class Pair: Sendable {
    /// In milliseconds. Far beyond the bounds of the tests: a slow machine must not end a wait before its change.
    static let longestWait: UInt32 = 600_000

    let context: Context
    let storage: StorageServer
    let query: QueryServer
    let storageEndpoint: String
    let changesEndpoint: String
    let endpoint: String
    let directory: TemporaryDirectory

    init(
        _ transport: Transport = .inproc, directory: TemporaryDirectory? = nil, onDisk: Bool = false,
        sources: [SourceDefinition] = [], rates: RatesSource? = nil, retention: Retention = Retention(),
        diskReserve: Int = 0, storageVersions: ClosedRange<UInt8> = WaymarkProtocol.versions,
        queryVersions: ClosedRange<UInt8> = WaymarkProtocol.versions, reads: Int? = nil,
        longestWait: UInt32 = longestWait
    ) async throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        context = try Context()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var ofStorage = StorageOptions(
            directory: onDisk ? directory.path + "/data" : nil, listen: transport.endpoint("s", in: directory),
            changes: transport.endpoint("c", in: directory), beacon: .milliseconds(200), retention: retention,
            diskReserve: diskReserve)
        try ofStorage.useTestedEngine(directory.path)
        ofStorage.protocolVersions = storageVersions
        if let reads { ofStorage.reads = reads }
        ofStorage.longestWait = longestWait
        storage = try StorageServer(ofStorage, context: context, logger: logger)
        (storageEndpoint, changesEndpoint) = try await storage.start()
        var ofQuery = QueryOptions(
            listen: transport.endpoint("q", in: directory), storage: storageEndpoint)
        (ofQuery.sources, ofQuery.rates) = (sources, rates)
        ofQuery.protocolVersions = queryVersions
        ofQuery.longestWait = longestWait
        ofQuery.zones.standard = "Australia/Sydney"
        query = try QueryServer(ofQuery, context: context, logger: logger)
        endpoint = try await query.start()
        guard await query.waitUntilReady(timeout: .seconds(60)) else { throw NotReady() }
    }

    struct NotReady: Error {}

    func client(
        user: String = "armando", timeout: Duration = .seconds(60),
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions, feedBounds: FeedBounds? = nil
    ) async throws -> WaymarkClient {
        var options = ClientOptions(endpoint: endpoint, user: user, timeout: timeout)
        if let feedBounds { options.feedBounds = feedBounds }
        options.protocolVersions = versions
        return try await WaymarkClient(options, context: context)
    }

    func stop() async {
        await query.stop()
        await storage.stop()
        context.terminate()
    }
}

/// Runs `body` with a pair and a client, and stops both in any case.
func withPair(
    _ transport: Transport = .inproc, sources: [SourceDefinition] = [], rates: RatesSource? = nil, onDisk: Bool = false,
    retention: Retention = Retention(), reads: Int? = nil, timeout: Duration = .seconds(60),
    _ body: (Pair, WaymarkClient) async throws -> Void
) async throws {
    let pair = try await Pair(
        transport, onDisk: onDisk, sources: sources, rates: rates, retention: retention, reads: reads)
    let client = try await pair.client(timeout: timeout)
    do {
        try await body(pair, client)
    } catch {
        await client.close()
        await pair.stop()
        throw error
    }
    await client.close()
    await pair.stop()
}
