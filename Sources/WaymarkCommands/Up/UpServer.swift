// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import Logging
import QueryService
import ServiceHost
import StorageService
import WaymarkProtocol
import ZeroMQ

/// The pair in one process, and what it says while it comes up.
final class UpServer: HostedServer {
    private let context: Context
    private let directory: String
    private let storage: StorageServer
    private let query: QueryServer
    private let options: QueryOptions
    private let sockets: SocketDirectory

    init(directory: String, query options: QueryOptions, logger: Logger) throws {
        self.directory = directory
        context = try Context()
        sockets = try SocketDirectory(preferring: directory)
        var options = options
        options.storage = sockets.endpoint("commands.ipc")
        options.changes = nil
        self.options = options
        storage = StorageServer(
            StorageOptions(
                directory: directory, listen: options.storage, changes: sockets.endpoint("changes.ipc")),
            context: context, logger: logger)
        query = QueryServer(options, context: context, logger: logger)
    }

    func start() async throws {
        _ = try await storage.start()
        let endpoint = try await query.start()
        guard await query.waitUntilReady(timeout: .seconds(60)) else {
            throw UpFailure(description: "The landmarks could not be loaded: see the log with --log-level debug.")
        }
        say("Waymark \(Product.version) is up. Data: \(directory)")
        Task { [query, options] in
            var waiting = Set(options.sources.map(\.name))
            if waiting.isEmpty { say("No sources are configured: see config/query.yaml.") }
            if waiting.isEmpty { UpGuide.show(endpoint) }
            for await news in query.ingestReports {
                say(UpGuide.line(for: news))
                guard waiting.remove(news.source.name) != nil, waiting.isEmpty else { continue }
                UpGuide.show(endpoint)
            }
        }
    }

    func stop() async {
        await query.stop()
        await storage.stop()
        context.terminate()
        sockets.remove()
    }

    private func say(_ line: String) { UpGuide.say(line) }
}

/// Where the pair's own sockets are: in the data directory, unless its path is too long for a socket.
struct SocketDirectory {
    /// `sun_path` of a Unix socket has 108 bytes, one of them the terminating zero.
    private static let longestPath = 107
    private static let longestName = "/commands.ipc".utf8.count

    let path: String
    private let isTemporary: Bool

    init(preferring directory: String) throws {
        let absolute = URL(fileURLWithPath: directory).path
        guard absolute.utf8.count + Self.longestName > Self.longestPath else {
            (path, isTemporary) = (absolute, false)
            return
        }
        var template = Array("/tmp/waymark-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw UpFailure(description: "The path \(absolute) is too long for sockets: shorten it with --data.")
        }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "/tmp" }
        isTemporary = true
    }

    func endpoint(_ name: String) -> String { "ipc://\(path)/\(name)" }

    func remove() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
