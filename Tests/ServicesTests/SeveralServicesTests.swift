// SPDX-License-Identifier: Apache-2.0

import Logging
import QueryService
import TestTurns
import Testing
import WaymarkClient
import ZeroMQ

@Suite("One of several endpoints answers", .inTurn)
struct SeveralServicesTests {
    @Test("a client of two query services goes on at the other one, and its write is done once")
    func clients() async throws {
        let pair = try await Pair(.ipc)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let other = try QueryServer(
            QueryOptions(listen: "ipc://\(pair.directory.path)/q2", storage: pair.storageEndpoint),
            context: pair.context, logger: logger)
        var options = ClientOptions(user: "ada", timeout: .seconds(60))
        options.endpoints = ["ipc://\(pair.directory.path)/nobody", pair.endpoint, try await other.start()]
        // Until one has been reached, a client that gives up has tried all.
        options.whenRefused = .giveUp
        let client = try await WaymarkClient(options, context: pair.context)
        let count = Locked(0)
        let writing = Task {
            var revisions: [UInt64] = []
            for number in 0..<100 {
                revisions.append(try await client.add(WriteTests.draft("\(number)")).rev)
                count.withLock { $0 += 1 }
                try await Task.sleep(for: .milliseconds(5))
            }
            return revisions
        }
        try await until { count.withLock { $0 } > 10 }
        await pair.query.stop()
        let revisions = try? await writing.value
        #expect(revisions == Array(1...100))
        #expect(try await client.list(.byName, limit: 200).hits.count == 100)
        await client.close()
        options.endpoints = ["ipc://\(pair.directory.path)/nobody", "ipc://\(pair.directory.path)/nobody-2"]
        let lost = try await WaymarkClient(options, context: pair.context)
        #expect(await refusal { _ = try await lost.hello() } == "cannot connect")
        await lost.close()
        await other.stop()
        await pair.storage.stop()
        pair.context.terminate()
    }

    @Test("with accounts: all endpoints have one key, and one where another key listens is left for the next")
    func keys() async throws {
        try await withSecuredPair { pair in
            let others = try await SecuredPair()
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            var options = QueryOptions(listen: "tcp://127.0.0.1:*")
            options.storages = ["tcp://127.0.0.1:9", others.storageEndpoint, pair.storageEndpoint]
            options.access = QueryAccess(keys: pair.serviceKeys, storage: pair.storageKeys.publicKey)
            let context = try Context()
            let query = try QueryServer(options, context: context, logger: logger)
            _ = try await query.start()
            #expect(await query.waitUntilReady(timeout: .seconds(60)))
            await query.stop()
            context.terminate()
            let (keys, _) = try await pair.account("ann", .user)
            var ofClient = ClientOptions(
                timeout: .seconds(60), keys: ClientKeys(own: keys, server: pair.serviceKeys.publicKey))
            ofClient.endpoints = ["tcp://127.0.0.1:9", others.endpoint, pair.endpoint]
            let client = try await WaymarkClient(ofClient, context: pair.contexts[2])
            #expect(try await client.add(WriteTests.draft("Bondi")).rev == 1)
            await client.close()
            await others.stop()
        }
    }
}
