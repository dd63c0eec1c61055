// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Ingest
import Landmarks
import Monitoring
import QueryService
import Settings
import StorageService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// Both services, with sockets in a temporary folder and a listener each. The feed passes through a relay.
final class Stage: Sendable {
    enum Side: Sendable { case storage, query }

    /// The most connections to each socket.
    static let mostConnections = 24

    let folder: URL
    let context: Context
    let relay = FeedRelay()
    let query: QueryServer
    let queryWatched: Watched
    let source: URL
    var data: String { folder.path + "/data" }
    var commands: String { "ipc://\(folder.path)/s" }
    var changes: String { "ipc://\(folder.path)/c" }
    var published: String { "ipc://\(folder.path)/r" }
    var endpoint: String { "ipc://\(folder.path)/q" }
    private let current = Locked<(StorageServer, Watched)?>(nil)
    private let known = Locked<Set<String>>([])

    /// Starts query only; storage starts later.
    init() async throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "/tmp" }
        folder = URL(filePath: path)
        context = try Context()
        source = folder.appending(path: "source.json")
        try Self.places(2).write(to: source, atomically: true, encoding: .utf8)
        try await relay.open(from: "ipc://\(path)/c", to: "ipc://\(path)/relay", context: context)
        var options = QueryOptions(listen: "ipc://\(path)/q", storage: "ipc://\(path)/s")
        options.changes = ["ipc://\(path)/relay"]
        options.sources = [
            try SourceDefinition(
                name: "places", location: try SourceLocation("file:\(path)/source.json"), every: .seconds(1))
        ]
        options.connections = Self.mostConnections
        options.relay = RelayOptions(listen: "ipc://\(path)/r")
        query = try QueryServer(options, context: context, logger: Watched.silent)
        _ = try await query.start()
        queryWatched = try await Watched(query, service: "query")
    }

    static func places(_ count: Int) -> String {
        let rows = (0..<count).map { #"{ "name": "Place \#($0)", "lat": \#($0), "lng": 1 }"# }
        return #"{ "locations": [\#(rows.joined(separator: ","))] }"#
    }

    /// Query's settings that can change while it runs.
    func settings(sources: String?) throws -> Settings {
        let file = folder.appending(path: "query.yaml")
        let text = sources.map { "sources:\n  \($0)" } ?? "sources: {}\n"
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try Settings.load(schema: .query, file: file.path, environment: [:], arguments: [])
    }

    func startStorage() async throws {
        var options = StorageOptions(
            directory: data, listen: commands, changes: changes, beacon: .milliseconds(100))
        options.connections = Self.mostConnections
        let storage = try StorageServer(options, context: context, logger: Watched.silent)
        _ = try await storage.start()
        let watched = try await Watched(storage, service: "storage")
        current.withLock { $0 = (storage, watched) }
    }

    func stopStorage() async throws {
        let running = current.withLock { current in
            defer { current = nil }
            return current
        }
        await running?.0.stop()
        try await running?.1.stop()
    }

    var storage: StorageServer { get throws { try #require(current.withLock { $0?.0 }) } }

    func watched(_ side: Side) throws -> Watched {
        switch side {
        case .query: queryWatched
        case .storage: try #require(current.withLock { $0?.1 })
        }
    }

    func client() async throws -> WaymarkClient {
        try await WaymarkClient(.init(endpoint: endpoint, user: "armando", timeout: .seconds(30)), context: context)
    }

    func draft(_ number: Int = 0) throws -> LandmarkDraft {
        try LandmarkDraft(
            name: "Place \(number)", coordinate: try Coordinate(latitude: 1, longitude: 2), kind: "theatre")
    }

    /// Values that are not old: on a loaded machine a loop may take more than a second to tell them.
    func fresh(_ side: Side) async throws -> Exposition {
        var scrape = try await watched(side).scrape()
        for _ in 0..<60 where scrape.value("waymark_loop_wait_seconds") >= 1 {
            scrape = try await watched(side).scrape()
        }
        return scrape
    }

    /// Runs `action` and waits until these metrics change: counters and histograms must rise, gauges must differ.
    func move(
        _ side: Side, _ names: [String], within limit: Duration = .seconds(60),
        sourceLocation: SourceLocation_ = #_sourceLocation, by action: () async throws -> Void
    ) async throws {
        let before = try await fresh(side)
        try await action()
        var waiting = names
        try await until("\(waiting) have moved", within: limit, sourceLocation: sourceLocation) {
            let after = try await watched(side).scrape()
            waiting.removeAll { name in
                if after.types[name] == "gauge" { return after.samples(of: name) != before.samples(of: name) }
                return after.total(name) > before.total(name)
            }
            return waiting.isEmpty
        }
        let moved = names.map { "\(side) \($0)" }
        known.withLock { $0.formUnion(moved) }
    }

    /// Does the same with two samples of a metric that the caller took.
    func note(
        _ side: Side, _ name: String, _ now: Set<Exposition.Sample>, _ before: Set<Exposition.Sample>
    ) throws {
        #expect(now != before && !now.isEmpty && !before.isEmpty)
        if now != before { known.withLock { _ = $0.insert("\(side) \(name)") } }
    }

    /// The metrics that have changed, as `side name`.
    var moved: Set<String> { known.withLock { $0 } }

    func end() async throws {
        try await queryWatched.stop()
        await query.stop()
        try await stopStorage()
        await relay.close()
        context.terminate()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Needed because `SourceLocation` is also a type of Ingest.
typealias SourceLocation_ = Testing.SourceLocation
