// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess
import WaymarkClient
import ZeroMQ

/// `waymark-storage` and `waymark-query` as two processes, which can be ended and restarted at the same endpoints.
final class ProcessPair: Sendable {
    enum Transport {
        case tcp, ipc
    }

    let bench: ProcessBench
    /// The endpoint of the query service.
    let endpoint: String
    private let commands: String
    private let changes: String
    private let beacon: String
    private let storageNow: Locked<Child?> = Locked(nil)
    private let queryNow: Locked<Child?> = Locked(nil)

    /// - Parameters:
    ///   - sources: the lines below `sources:` in the query service's file.
    ///   - web: the port of the HTTP interface; nil to leave it out.
    init(
        _ bench: ProcessBench, _ transport: Transport = .ipc, sources: String = "", beacon: String = "200ms",
        web: UInt16? = nil
    ) async throws {
        self.bench = bench
        self.beacon = beacon
        func endpoint(_ name: String) throws -> String {
            transport == .tcp ? try Ports.endpoint() : "ipc://\(bench.path)/\(name).ipc"
        }
        self.endpoint = try endpoint("query")
        commands = try endpoint("commands")
        changes = try endpoint("changes")
        try bench.write("data: data\nlisten: \(commands)\nchanges: \(changes)\nbeacon: \(beacon)\n", to: "storage.yaml")
        try bench.write(
            "listen: \(self.endpoint)\nstorage: \(commands)\n" + (sources.isEmpty ? "" : "sources:\n\(sources)")
                + (web.map { "web:\n  listen: 127.0.0.1:\($0)\n" } ?? ""),
            to: "query.yaml")
        try await startStorage()
        try await startQuery()
        _ = try await query.err.next { $0.contains("query ready") }
    }

    var storage: Child { storageNow.withLock { $0! } }
    var query: Child { queryNow.withLock { $0! } }

    /// Starts storage on the same data as before, and returns when it listens.
    func startStorage() async throws {
        let program = try bench.start("waymark-storage", ["--config", "storage.yaml"])
        storageNow.withLock { $0 = program }
        _ = try await program.err.next { $0.contains("storage ready") }
    }

    /// Like ``startStorage()``, but the query service may still be loading.
    func startQuery() async throws {
        let program = try bench.start("waymark-query", ["--config", "query.yaml"])
        queryNow.withLock { $0 = program }
        _ = try await program.err.next { $0.contains("query listening") }
    }

    func client(user: String = "ann", timeout: Duration = .seconds(60)) async throws -> WaymarkClient {
        try await WaymarkClient(.init(endpoint: endpoint, user: user, timeout: timeout))
    }

    /// Runs one command against this pair, as the user ann.
    func waymark(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProcessResult {
        try await bench.finish("waymark", arguments, environment: variables.merging(environment) { $1 })
    }

    /// The same for `waymark status`, whose result has storage's part.
    func status(_ arguments: String...) async throws -> ProcessResult {
        try await bench.status(arguments, environment: variables)
    }

    /// Starts one command against this pair, as the user ann.
    func start(
        _ arguments: String..., environment: [String: String] = [:], stdout: Child.Output = .lines
    ) throws -> Child {
        try bench.start("waymark", arguments, environment: variables.merging(environment) { $1 }, stdout: stdout)
    }

    var variables: [String: String] { ["WAYMARK_CONNECT": endpoint, "WAYMARK_USER": "ann"] }
}

/// Runs `body` with a pair of processes, and removes everything afterwards in any case.
func withProcessPair(
    _ transport: ProcessPair.Transport = .ipc, sources: String = "", beacon: String = "200ms",
    web: UInt16? = nil, _ body: (ProcessPair) async throws -> Void
) async throws {
    try await withBench { bench in
        try await body(ProcessPair(bench, transport, sources: sources, beacon: beacon, web: web))
    }
}

/// Runs `body` with a client, and closes it in any case.
func withClient(_ client: WaymarkClient, _ body: (WaymarkClient) async throws -> Void) async throws {
    do {
        try await body(client)
    } catch {
        await client.close()
        throw error
    }
    await client.close()
}
