// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SQLite
import TestProcess

/// Storage, query services, writers and subscribers as processes in one folder, with proxies between some of them. Only
/// one thread may use a cluster.
public final class Cluster {
    public let directory: String
    public let products: String
    /// The environment of all programs.
    public var environment: [String: String] = [:]
    /// Additional environment of storage, applied at each of its starts.
    public var storageEnvironment: [String: String] = [:]
    /// Additional settings of storage, as flags.
    public var storageFlags: [String] = []
    /// Additional settings of query services, as flags.
    public var queryFlags: [String] = []
    /// The URL of storage's database in PostgreSQL; nil: SQLite in the folder.
    public var engine: String?
    public private(set) var storage: Program?
    public private(set) var queries: [Program?]
    public private(set) var clients: [String: Program] = [:]
    /// Proxies in front of storage's feed and commands. The last query service and its clients are behind them.
    public let feedProxy: TCPProxy
    public let commandProxy: TCPProxy
    private let commands: UInt16
    private let changes: UInt16
    private let ports: [UInt16]

    /// - Parameter products: the folder with the built programs.
    public init(directory: String, products: String, queries count: Int = 1) throws {
        (self.directory, self.products) = (directory, products)
        queries = Array(repeating: nil, count: count)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        (commands, changes) = (try Ports.free(), try Ports.free())
        ports = try (0..<count).map { _ in try Ports.free() }
        feedProxy = try TCPProxy(port: Ports.free(), to: changes)
        commandProxy = try TCPProxy(port: Ports.free(), to: commands)
    }

    public var database: String { "\(directory)/data/waymark.sqlite" }
    public var commandEndpoint: String { "tcp://127.0.0.1:\(commands)" }
    public var commandPort: UInt16 { commands }
    public var changesPort: UInt16 { changes }
    public var changesEndpoint: String { "tcp://127.0.0.1:\(changes)" }

    public func port(_ query: Int) -> UInt16 { ports[query] }
    public func endpoint(_ query: Int) -> String { "tcp://127.0.0.1:\(ports[query])" }

    public func startStorage() throws {
        storage = try Program(
            "\(products)/waymark-storage",
            [
                "--data", "\(directory)/data", "--listen", commandEndpoint, "--changes", changesEndpoint,
            ] + (engine.map { ["--engine", $0] } ?? []) + storageFlags,
            environment: environment.merging(storageEnvironment) { $1 }, directory: directory,
            log: "\(directory)/storage.log")
    }

    public func startQuery(_ number: Int) throws {
        let isBehind = number == queries.count - 1
        // Each service gets its own file without sources, so that it does not find another configuration.
        let file = "\(directory)/query\(number).yaml"
        try Data("listen: \(endpoint(number))\n".utf8).write(to: URL(fileURLWithPath: file))
        queries[number] = try Program(
            "\(products)/waymark-query",
            [
                "--config", file, "--storage", isBehind ? commandProxy.endpoint : commandEndpoint,
                "--changes", isBehind ? feedProxy.endpoint : changesEndpoint,
            ] + queryFlags,
            environment: environment, directory: directory, log: "\(directory)/query\(number).log")
    }

    /// Starts this program again, as a writer or a subscriber.
    public func startClient(_ name: String, _ arguments: [String]) throws {
        clients[name] = try Program(
            "\(products)/waymark-faults", arguments, environment: environment, directory: directory,
            log: "\(directory)/clients.log")
    }

    /// Waits until storage listens.
    public func awaitStorage(_ time: Duration = .seconds(60)) {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline, storage?.status == nil {
            if let descriptor = Ports.connect(commands) {
                Glibc.close(descriptor)
                return
            }
            usleep(10_000)
        }
    }

    /// The newest revision, read from the database while storage runs.
    public func head() throws -> UInt64 {
        if let engine { return try PostgreSQLTruth.head(engine) }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyTimeout = .seconds(5)
        let file = try DatabaseQueue(path: database, configuration: configuration)
        defer { file.close() }
        return try file.read { db in
            UInt64(try Int64.fetchOne(db, sql: "SELECT max(rev) FROM changes") ?? 0)
        }
    }

    /// Starts every service that is not running.
    public func revive() throws {
        if storage?.status != nil || storage == nil { try startStorage() }
        for number in queries.indices where queries[number]?.status != nil || queries[number] == nil {
            try startQuery(number)
        }
    }

    /// Removes all faults: every program runs, and the proxies let everything pass.
    public func heal() throws {
        for proxy in [feedProxy, commandProxy] {
            proxy.freeze(false)
            proxy.delay(milliseconds: 0)
        }
        for program in [storage] + queries + clients.values.map({ $0 }) { program?.send(SIGCONT) }
        try revive()
    }

    /// Ends every program that was started here.
    public func close() {
        for program in clients.values.map({ $0 }) + queries.compactMap({ $0 }) + [storage].compactMap({ $0 }) {
            program.slay()
        }
        feedProxy.close()
        commandProxy.close()
    }
}
