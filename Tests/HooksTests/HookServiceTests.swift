// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import IPAddresses
import Logging
import QueryService
import ServiceLifecycle
import StorageService
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import ZeroMQ

@testable import Hooks

/// Hooks over running services, as in `waymark up`.
@Suite(.inTurn)
struct HookServiceTests {
    /// Storage, a query service and a client in this process.
    private final class Stage: Sendable {
        let context: Context
        let client: WaymarkClient
        private let storage: StorageServer
        private let query: QueryServer
        private let endpoint: String
        private let directory: String
        private let logger: Logger

        init() async throws {
            var template = Array("/tmp/wm-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
            directory = String(cString: made)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            self.logger = logger
            context = try Context()
            storage = try StorageServer(
                StorageOptions(
                    directory: directory + "/data", listen: "ipc://\(directory)/s", changes: "ipc://\(directory)/c",
                    beacon: .milliseconds(200), diskReserve: 0), context: context, logger: logger)
            _ = try await storage.start()
            query = try QueryServer(
                QueryOptions(listen: "ipc://\(directory)/q", storage: "ipc://\(directory)/s"), context: context,
                logger: logger)
            endpoint = try await query.start()
            guard await query.waitUntilReady(timeout: .seconds(60)) else { throw CocoaError(.featureUnsupported) }
            client = try await WaymarkClient(
                ClientOptions(endpoint: endpoint, user: "ann", timeout: .seconds(60)), context: context)
        }

        /// A service that delivers to this machine.
        func service() -> (group: ServiceGroup, running: Task<Void, any Error>) {
            var options = HookOptions()
            options.post.allowed = [AddressBlock("127.0.0.1")].compactMap { $0 }
            (options.turn, options.idleTurn) = (.milliseconds(100), .milliseconds(100))
            let service = HookService(
                options, endpoint: { [endpoint] in endpoint }, local: query.local, context: context, logger: logger)
            let group = ServiceGroup(services: [service], logger: logger)
            return (group, Task { try await group.run() })
        }

        func add(_ names: ClosedRange<Int>) async throws {
            for name in names {
                let place = try Coordinate(latitude: Double(name), longitude: 10)
                _ = try await client.add(LandmarkDraft(name: "L\(name)", coordinate: place))
            }
        }

        func stop() async {
            await client.close()
            await query.stop()
            await storage.stop()
            context.terminate()
            try? FileManager.default.removeItem(atPath: directory)
        }
    }

    private struct Event {
        var id: String
        var type: String
        var name: String?

        init?(_ body: String) {
            guard let json = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any],
                let id = json["id"] as? String, let type = json["type"] as? String
            else { return nil }
            (self.id, self.type) = (id, type)
            name = ((json["data"] as? [String: Any])?["landmark"] as? [String: Any])?["name"] as? String
        }
    }

    @Test("each change arrives in order, also when another service takes over")
    func deliversAndMoves() async throws {
        let stage = try await Stage()
        let first = stage.service()
        try await TestServer.with({ _, _ in .message("204 No Content") }) { server in
            func names() -> [String] { server.bodies.compactMap { Event($0)?.name } }
            try await stage.add(1...2)
            var hook = NewHook(name: "h", url: server.url)
            hook.start = .after(1)
            _ = try await stage.client.hooks.add(hook)
            try await stage.add(3...5)
            try await until("four changes have come, not \(names())") { names() == ["L2", "L3", "L4", "L5"] }
            let second = stage.service()
            await first.group.triggerGracefulShutdown()
            try await first.running.value
            try await stage.add(6...7)
            // What the first service did not tell any more may come twice.
            try await until("the others have come, not \(names())") { names().suffix(2) == ["L6", "L7"] }
            #expect(Array(Set(names())).sorted() == (2...7).map { "L\($0)" })
            #expect(names() == names().sorted())
            try await until("the position is that of the last") {
                try await stage.client.hooks.find("h").hook.position?.rev == 7
            }
            await second.group.triggerGracefulShutdown()
            try await second.running.value
        }
        await stage.stop()
    }

    @Test("a test comes although the hook waits, and leaves no failure")
    func test() async throws {
        let stage = try await Stage()
        let service = stage.service()
        try await TestServer.with({ _, _ in .message("200 OK") }) { server in
            var filtered = NewHook(name: "h", url: server.url)
            filtered.filter.kinds = ["beach"]
            _ = try await stage.client.hooks.add(filtered)
            try await stage.add(1...1)
            try await stage.client.hooks.change("h", .test)
            try await until("the test has come") {
                server.bodies.compactMap { Event($0)?.type } == ["waymark.hook.test"]
            }
            try await until("storage knows it") {
                try await stage.client.hooks.failures(of: "h").failures.isEmpty
            }
            // The change does not match, but the position passes it.
            try await until("the position is behind the change") {
                try await stage.client.hooks.find("h").hook.position?.rev == 1
            }
            #expect(server.requests.count == 1)
            await service.group.triggerGracefulShutdown()
            try await service.running.value
        }
        await stage.stop()
    }
}
