// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Monitoring
import ServiceHost
import ServiceLifecycle
import TestWeb
import Testing
import WebServer

/// A running listener on its own port, and its answers over HTTP.
final class Watched: Sendable {
    let port: UInt16
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// - Parameter server: a running service.
    convenience init(_ server: some MonitoredServer, service: String) async throws {
        let startup = Startup()
        startup.end()
        try await self.init(MonitoringPages(server, service: service, after: startup))
    }

    init(
        _ pages: MonitoringPages,
        listener: (ListenAddress, @escaping @Sendable (ListenAddress) -> Void) -> MonitoringListener
    ) async throws {
        let (ports, told) = AsyncStream<UInt16>.makeStream()
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let group = ServiceGroup(
            services: [
                listener(address) {
                    told.yield($0.port)
                    told.finish()
                }
            ], logger: Self.silent)
        self.group = group
        running = Task {
            defer { told.finish() }
            try await group.run()
        }
        var iterator = ports.makeAsyncIterator()
        port = try #require(await iterator.next())
    }

    convenience init(_ pages: MonitoringPages) async throws {
        try await self.init(pages) { MonitoringListener($0, pages: pages, logger: Self.silent, listening: $1) }
    }

    static var silent: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    func get(
        _ path: String, _ method: String = "GET", headers: [String: String] = [:]
    ) async throws -> PlainHTTP.Answer {
        try await PlainHTTP.request(method, port: port, path, headers: headers)
    }

    func scrape() async throws -> Exposition {
        let answer = try await get("/metrics")
        #expect(answer.status == 200)
        return try Exposition(answer.text)
    }

    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
    }
}
