// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Logging
import Synchronization
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@testable import StorageService

@Suite("An engine with a thread of its own", .inTurn)
struct WriterThreadTests {
    private func withStorage(
        accounts: Bool = false, _ body: (WaymarkClient, HeldEngine.Handle, StorageServer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let context = try Context()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var options = StorageOptions(
            directory: nil, listen: "ipc://\(directory.path)/s", changes: "ipc://\(directory.path)/c",
            beacon: .milliseconds(100))
        if accounts {
            options.access = StorageAccess(
                keyFile: directory.path + "/storage.key", serviceFile: directory.path + "/service.key")
        }
        let storage = try StorageServer(options, context: context, logger: logger)
        let handle = HeldEngine.Handle()
        await storage.open(directory.path + "/data", handle)
        // The first start with accounts stores a key.
        if accounts { handle.letGo() }
        let endpoint = try await storage.start().listen
        let client = try await WaymarkClient(
            ClientOptions(endpoint: endpoint, user: "ada", timeout: .seconds(100)), context: context)
        var failure: (any Error)?
        do { try await body(client, handle, storage) } catch { failure = error }
        for _ in 0..<20 { handle.letGo() }
        await client.close()
        await storage.stop()
        if let failure { throw failure }
    }

    private func draft(_ name: String) throws -> LandmarkDraft {
        try LandmarkDraft(name: name, coordinate: try Coordinate(latitude: 0, longitude: 0))
    }

    @Test("what was read of a batch that is not published is told after it, and does not wait for the next batch")
    func reads() async throws {
        try await withStorage { client, engine, storage in
            let start = try await client.hello().position
            // No feed follows: it reads the log, too, and its read at storage could not be told from the one below.
            let answered = Mutex(0)
            let read: @Sendable () async throws -> [UInt64] = {
                let page = try await client.changes(after: start)
                answered.withLock { $0 += 1 }
                return page.changes.map(\.position.rev)
            }
            async let first = client.add(draft("first"))
            try await until { engine.durable == 1 }
            // One read: a busy machine sends copies, so that two at storage need not be two requests.
            let early = Task(operation: read)
            // These gather, and are the next batch.
            async let second = client.add(draft("second"))
            async let third = client.add(draft("third"))
            try await until { await storage.hasGathered(writes: 2, reads: 1, after: engine) }
            #expect(answered.withLock(\.self) == 0, "told before it was published")
            #expect(await storage.published == 0)
            engine.letGo()
            #expect(try await first.rev == 1)
            #expect(try await early.value == [1])
            try await until { engine.durable == 2 }
            #expect(await storage.published == 1)
            // The second batch is durable, and neither answered nor published.
            let late = Task(operation: read)
            try await Task.sleep(for: .milliseconds(200))
            #expect(answered.withLock(\.self) == 1)
            // Copies of the first three, which a busy machine may have sent, are a batch of their own.
            for _ in 0..<10 { engine.letGo() }
            #expect(try await Set([second.rev, third.rev]) == [2, 3])
            #expect(try await late.value == [1, 2, 3])
            #expect(await storage.published == 3)
        }
    }

    @Test("a write of which nobody knows whether it was done is not refused, and its copy gets its answer")
    func undecided() async throws {
        try await withStorage { client, engine, storage in
            // Connected from here on: the request is sent at once.
            _ = try await client.hello()
            engine.cutOff()
            engine.letGo()
            let first = try WireLandmarkDraft(draft("first"))
            let add = WireRequest.with { $0.add.draft = first }
            await #expect {
                // Less time than the pause before a copy.
                _ = try await client.send(add, timeout: .milliseconds(800))
            } throws: { error in
                if case .mayBeDone? = error as? ClientError { true } else { false }
            }
            try await until {
                guard engine.durable >= 1 else { return false }
                return await !storage.isCommitting
            }
            engine.cutOff()
            for _ in 0..<10 { engine.letGo() }
            #expect(try await client.add(draft("second")).rev == 2)
            // The first one, the second one and its copies.
            #expect(engine.durable >= 3)
        }
    }

    @Test("a database that has not answered for seconds is a problem of health, and none when it answers again")
    func silent() async throws {
        try await withStorage { client, engine, _ in
            func health() async throws -> WireHealthReport {
                try await client.send(WireRequest.with { $0.health = WireHealth() }).1.health
            }
            try await until { try await health().ready }
            async let first = client.add(draft("first"))
            try await until { engine.durable == 1 }
            var found: [String] = []
            try await until {
                found = try await health().problems
                return !found.isEmpty
            }
            #expect(found.count == 1 && found.first?.contains("The database is not reachable") == true, "\(found)")
            engine.letGo()
            #expect(try await first.rev == 1)
            // After a late answer the engine holds a copy of the first write, too.
            for _ in 0..<10 { engine.letGo() }
            try await until { try await health().ready }
        }
    }

    @Test("the writer goes on showing that it lives while nobody can read")
    func beats() async throws {
        try await withStorage(accounts: true) { _, engine, _ in
            engine.takeReaders(true)
            defer { engine.takeReaders(false) }
            // The first one may have been under way.
            let before = engine.beats
            try await until { engine.beats >= before + 2 }
        }
    }

    @Test("one that may have been replaced says nothing about positions that it does not know")
    func asleep() async throws {
        try await withStorage { client, engine, _ in
            engine.letGo()
            _ = try await client.add(draft("first"))
            let here = try await client.hello().position
            let positions = [
                Position(epoch: here.epoch, rev: here.rev + 1), Position(epoch: UUIDv7(high: 1, low: 2), rev: 1),
            ]
            let asks: [WireRequest] = [.with { $0.sources = .init() }, .with { $0.changes.since = positions[1].wire }]
            for (isAsleep, verdicts) in [
                (false, [ErrorCode.futureRevision, .epochChanged, .epochChanged]),
                (true, [.unavailable, .unavailable, .unavailable]),
            ] {
                if isAsleep { engine.fallAsleep() }
                #expect(await code(client, asks[0], atLeast: positions[0]) == verdicts[0])
                #expect(await code(client, asks[0], atLeast: positions[1]) == verdicts[1])
                #expect(await code(client, asks[1]) == verdicts[2])
            }
        }
    }

    private func code(_ client: WaymarkClient, _ request: WireRequest, atLeast: Position? = nil) async -> ErrorCode? {
        while true {
            do throws(ClientError) {
                // Less than the pause after a refusal that may pass.
                _ = try await client.send(request, atLeast: atLeast, timeout: .milliseconds(900))
                return nil
            } catch {
                if case .refused(let refusal) = error { return refusal.code }
                // A busy machine may take longer than that for the answer.
                guard case .timedOut = error else { return nil }
            }
        }
    }

    private func add(_ count: Int, _ client: WaymarkClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let draft = try draft("\(number)")
                group.addTask { _ = try await client.add(draft) }
            }
            try await group.waitForAll()
        }
    }
}
