// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import QueryService
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkClient
import ZeroMQ

@Suite("Keys of the services", .inTurn)
struct ServiceKeyTests {
    @Test("secrets are readable for this user alone, and a new data directory keeps its query services")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let first = try await SecuredPair(directory: directory)
        let database = TestedEngine.current == .sqlite ? ["data/waymark.sqlite", "data/waymark.sqlite-wal"] : []
        for name in database + ["data/storage.key", "service.key"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
        await first.stop()
        // The volume of the data was lost, and that of the keys was not.
        try FileManager.default.removeItem(atPath: directory.path + "/data")
        let second = try await SecuredPair(directory: directory)
        #expect(second.serviceKeys == first.serviceKeys && second.storageKeys != first.storageKeys)
        let (_, ann) = try await second.account("ann", .user)
        _ = try await ann.add(WriteTests.draft("Bondi"))
        await second.stop()
    }

    @Test("a query service that storage does not let in says so")
    func refusedService() async throws {
        try await withSecuredPair { pair in
            for (storage, words) in [
                (pair.storageKeys.publicKey, "does not accept"),
                (try CurveKeyPair.generate().publicKey, "does not have the key"),
            ] {
                let context = try Context()
                var options = QueryOptions(listen: "tcp://127.0.0.1:*", storage: pair.storageEndpoint)
                options.access = QueryAccess(keys: try CurveKeyPair.generate(), storage: storage)
                let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
                let query = try QueryServer(options, context: context, logger: logger)
                _ = try await query.start()
                try await until { await query.health().problems.contains { $0.contains(words) } }
                await query.stop()
                context.terminate()
            }
        }
    }
}
