// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Geodesy
import Landmarks
import Logging
import QueryService
import ServiceLifecycle
import StorageService
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WebServer
import ZeroMQ

@testable import Web

extension AccountSettingTests {
    /// The services of one row, each with a context of its own.
    actor Stage {
        let directory: String
        private let contexts: [Context]
        private var storage: StorageServer
        private let query: QueryServer
        private let endpoint: String
        private let access: WebAccess?
        private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        private let listen: String

        static func run<Value: Sendable>(
            _ setting: AccountSetting, _ body: (Stage) async throws -> Value
        ) async throws -> Value {
            let stage = try await Stage(setting)
            let result: Result<Value, any Error>
            do { result = .success(try await body(stage)) } catch { result = .failure(error) }
            await stage.stop()
            return try result.get()
        }

        private init(_ setting: AccountSetting) async throws {
            var template = Array("/tmp/wm-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
            directory = String(cString: made)
            contexts = [try Context(), try Context(), try Context()]
            listen = setting.isTCP ? "tcp://127.0.0.1:*" : "ipc://\(directory)/s"
            storage = try StorageServer(
                Self.options(directory, listen, accounts: setting.storage), context: contexts[0], logger: logger)
            let (bound, _) = try await storage.start()
            var options = QueryOptions(listen: "tcp://127.0.0.1:*", storage: bound)
            if setting.query {
                // The file of another storage, where this one has made none.
                let service = try? KeyFile(path: directory + "/service.key")
                options.access = QueryAccess(
                    keys: try service?.keys ?? CurveKeyPair.generate(),
                    storage: try service?.server ?? CurveKeyPair.generate().publicKey)
            }
            query = try QueryServer(options, context: contexts[1], logger: logger)
            access = options.access.map { [query] in
                WebAccess(keys: $0.keys, book: query.accounts.book, settle: { await query.accounts.settle($0) })
            }
            endpoint = try await query.start()
        }

        private static func options(_ directory: String, _ listen: String, accounts: Bool) -> StorageOptions {
            var options = StorageOptions(
                directory: directory + "/data", listen: listen, changes: "ipc://\(directory)/c",
                beacon: .milliseconds(200), diskReserve: 0)
            if accounts {
                options.access = StorageAccess(
                    keyFile: directory + "/storage.key", serviceFile: directory + "/service.key")
            }
            return options
        }

        func restartStorage(accounts: Bool) async throws {
            await storage.stop()
            storage = try StorageServer(
                Self.options(directory, listen, accounts: accounts), context: contexts[0], logger: logger)
            _ = try await storage.start()
        }

        /// Waits until it is ready, or says that it never will be.
        ///
        /// - Returns: whether it is ready.
        func settle() async throws -> Bool {
            var problems: [String] = []
            try await until("this is settled, after \(problems)") {
                problems = await query.health().problems
                return problems.isEmpty || problems.contains { $0.contains("set accounts: required") }
            }
            return problems.isEmpty
        }

        func words(like text: String?) async -> String? {
            let problems = await query.health().problems
            return text.flatMap { text in problems.contains { $0.contains(text) } ? text : problems.first }
        }

        /// A stranger on the bus, without a key.
        ///
        /// - Parameter patience: what is refused for a while is asked again as long as that.
        func askBus(_ patience: Duration) async throws -> [Bool] {
            var options = ClientOptions(endpoint: endpoint, user: "eve", timeout: patience)
            options.whenRefused = .giveUp
            let client = try await WaymarkClient(options, context: contexts[2])
            let here = try Coordinate(latitude: 1, longitude: 2)
            let draft = try LandmarkDraft(name: "X", coordinate: here)
            let answers = [
                await Self.isDone { () throws(ClientError) in _ = try await client.near(here) },
                await Self.isDone { () throws(ClientError) in _ = try await client.add(draft) },
                await Self.isDone { () throws(ClientError) in _ = try await client.createAccount("eve", .admin) },
            ]
            await client.close()
            return answers
        }

        private static func isDone(_ body: () async throws(ClientError) -> Void) async -> Bool {
            do throws(ClientError) {
                try await body()
                return true
            } catch {
                return false
            }
        }

        /// A stranger with a browser.
        func askWeb(_ patience: Duration) async throws -> [Int] {
            var options = WebOptions(ListenAddress(host: "127.0.0.1", port: 0))
            options.timeout = patience
            let bound = AsyncStream.makeStream(of: UInt16.self)
            let listener = WebListener(
                options, endpoint: { [endpoint] in endpoint }, access: access, context: contexts[2], logger: logger,
                listening: { bound.continuation.yield($0.port) })
            let group = ServiceGroup(services: [listener], logger: logger)
            let running = Task {
                defer { bound.continuation.finish() }
                try await group.run()
            }
            var ports = bound.stream.makeAsyncIterator()
            guard let port = await ports.next() else { throw CocoaError(.featureUnsupported) }
            let result: Result<[Int], any Error>
            do { result = .success(try await Self.askWeb(port)) } catch { result = .failure(error) }
            // Also after an error: the context waits for the listener's sockets.
            await group.triggerGracefulShutdown()
            try await running.value
            return try result.get()
        }

        private static func askWeb(_ port: UInt16) async throws -> [Int] {
            let read = try await PlainHTTP.request("GET", port: port, "/v1/near?lat=1&lng=2").status
            // On a busy machine a copy of a write may stay without an answer, so that its outcome is open (504). Whoever
            // asks again with the same key learns it.
            var written = 504
            try await until("the outcome of the write is known") {
                written = try await PlainHTTP.request(
                    "POST", port: port, "/v1/landmarks",
                    headers: ["content-type": "application/json", "idempotency-key": "1", "waymark-user": "eve"],
                    body: #"{"name":"X","lat":1,"lng":2}"#
                ).status
                return written != 504
            }
            return [read, written]
        }

        private func stop() async {
            await query.stop()
            await storage.stop()
            for context in contexts { context.terminate() }
            try? FileManager.default.removeItem(atPath: directory)
        }
    }
}
