// SPDX-License-Identifier: Apache-2.0

import Accounts
import FaultKit
import Foundation
import LoadTest
import WaymarkClient
import WaymarkLoad
import ZeroMQ

/// Both services as child processes, in a temporary folder.
final class Stage {
    private static let patience = Duration.seconds(120)

    /// The endpoints of storage, of the feed, and of the query service.
    let commands: String
    let changes: String
    let endpoint: String
    /// Where people sign in; nil where accounts are not required.
    let signIn: String?
    /// A client's, which storage accepts as those of a service; nil where accounts are not required.
    private(set) var keys: ClientKeys?
    private(set) var storage: Program
    private(set) var query: Program?
    private var storageKeys: ClientKeys?
    private let directory: String
    private let storageFlags: [String]
    private let children: Children
    private let name: String
    private var starts = 0

    /// Starts storage without landmarks.
    ///
    /// - Parameters:
    ///   - settings: more lines of the query service's file.
    ///   - accounts: whether they are required. Then everything is encrypted.
    init(_ children: Children, _ name: String, settings: String = "", accounts: Bool = false) throws {
        (self.children, self.name) = (children, name)
        directory = "\(children.directory)/\(name)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        commands = "tcp://127.0.0.1:\(try Ports.free())"
        changes = "tcp://127.0.0.1:\(try Ports.free())"
        endpoint = "tcp://127.0.0.1:\(try Ports.free())"
        signIn = accounts ? "tcp://127.0.0.1:\(try Ports.free())" : nil
        let serviceFile = "\(directory)/data/service.key"
        let secured =
            try signIn.map {
                """
                accounts: required
                keys:
                  service: \(serviceFile)
                sign-in:
                  listen: \($0)
                  server-key-endpoint: tcp://127.0.0.1:\(try Ports.free())

                """
            } ?? ""
        // Each service gets its own file, so that it does not find another configuration.
        try Data("listen: \(commands)\n\(accounts ? "accounts: required\n" : "")".utf8).write(
            to: URL(fileURLWithPath: "\(directory)/storage.yaml"))
        try Data("listen: \(endpoint)\n\(secured)\(settings)".utf8).write(
            to: URL(fileURLWithPath: "\(directory)/query.yaml"))
        storageFlags = [
            "--config", "\(directory)/storage.yaml", "--data", "\(directory)/data", "--changes", changes,
        ]
        storage = try children.start(Self.product("waymark-storage"), storageFlags, log: "\(name)-storage")
        try wait(storage, "storage ready", log: "\(name)-storage")
        guard accounts else { return }
        let file = try KeyFile(path: serviceFile)
        guard let server = file.server else { throw KeyFileError.malformed(path: serviceFile) }
        keys = ClientKeys(own: file.keys, server: file.keys.publicKey)
        storageKeys = ClientKeys(own: file.keys, server: server)
    }

    /// - Returns: the time in seconds from storage's new start until it listens.
    func restartStorage() throws -> Double {
        children.end(storage)
        starts += 1
        let log = "\(name)-storage\(starts)"
        let begun = ContinuousClock.now
        storage = try children.start(Self.product("waymark-storage"), storageFlags, log: log)
        try wait(storage, "storage ready", log: log)
        return (ContinuousClock.now - begun) / .seconds(1)
    }

    var processes: [Int32] { [storage.pid] + (query.map { [$0.pid] } ?? []) }

    /// The path of a program beside this one.
    static func product(_ name: String) throws -> String {
        let folder = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let program = "\(folder)/\(name)"
        guard FileManager.default.isExecutableFile(atPath: program) else { throw TableError.notInstalled(program) }
        return program
    }

    /// - Parameter web: the port of the map and of the HTTP interface; nil: without them.
    /// - Returns: the time in seconds until the service is ready.
    @discardableResult
    func startQuery(web: UInt16? = nil) throws -> Double {
        starts += 1
        let log = "\(name)-query\(starts)"
        let begun = ContinuousClock.now
        let query = try children.start(
            Self.product("waymark-query"),
            ["--config", "\(directory)/query.yaml", "--storage", commands, "--changes", changes]
                + (web.map { ["--web-listen", "127.0.0.1:\($0)"] } ?? []), log: log)
        self.query = query
        try wait(query, "query ready", log: log)
        return (ContinuousClock.now - begun) / .seconds(1)
    }

    func stopQuery() {
        if let query { children.end(query) }
        query = nil
    }

    /// The resident memory of the query service in bytes.
    var queryMemory: Double { Double(query?.memory ?? 0) * 1_024 }

    /// Adds landmarks to storage.
    ///
    /// - Returns: the time in seconds until the last of them was durable.
    func fill(_ world: World) async throws -> Double {
        var test = ServiceTest(endpoint: commands, user: "measure", timeout: 60_000_000_000) {
            [WeightedOperation(ReadyIngest(world: world))]
        }
        test.security = storageKeys?.security(commands)
        let shape = LoadShape(loop: .closed(window: 4), end: .count(world.requests.count), warmUp: 0)
        let result = try await test.run(shape, LoadWatch(stop: children.stop))
        if children.stop.isAsked { throw CancellationError() }
        guard result.figures.failures == 0 else { throw TableError.refused(result.figures.errors) }
        return result.figures.seconds
    }

    /// Returns when the query service and the search have everything.
    func settle() async throws {
        let client = try await client()
        var isBehind = true
        while isBehind, !children.stop.isAsked {
            let status = try await client.status()
            let head = status.storage?.head ?? 0
            isBehind = (status.query?.rev ?? 0) < head || (status.storage?.searchRev ?? 0) < head
            if isBehind { try await Task.sleep(for: .milliseconds(20)) }
        }
        await client.close()
        if children.stop.isAsked { throw CancellationError() }
    }

    /// - Parameter isOfStorage: whether to connect directly to storage.
    func client(isOfStorage: Bool = false) async throws -> WaymarkClient {
        try await WaymarkClient(
            .init(
                endpoint: isOfStorage ? commands : endpoint, user: "measure", timeout: .seconds(30),
                keys: isOfStorage ? storageKeys : keys))
    }

    func end() {
        stopQuery()
        children.end(storage)
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func wait(_ program: Program, _ line: String, log: String) throws {
        let path = "\(children.directory)/\(log).log"
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if text.contains(line) { return }
            if children.stop.isAsked { throw CancellationError() }
            guard program.status == nil, ContinuousClock.now < deadline else {
                throw TableError.doesNotStart(program.name, log: String(text.suffix(300)))
            }
            NanoClock.sleep(2_000_000)
        }
    }
}
