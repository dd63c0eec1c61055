// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import QueryService
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Another storage takes over", .inTurn)
struct TakeoverTests {
    /// Two storages over one database, a query service that knows both, and a client.
    private struct Scene {
        let first: StandbyStorage
        let second: StandbyStorage
        let query: QueryServer
        let client: WaymarkClient
        let database: Locked<SharedDatabase>

        /// Adds a landmark, again and again under new requests if it was refused as not done.
        func add(_ name: String) async throws -> Written {
            let draft = try WriteTests.draft(name)
            var written: Written?
            try await until("\(name) is added") {
                do throws(ClientError) { written = try await client.add(draft) } catch {
                    guard case .refused = error else { throw error }
                }
                return written != nil
            }
            return try #require(written)
        }

        /// The revision of the replica.
        var revision: UInt64? {
            get async throws { try await client.send(.with { $0.list.limit = 1 }).0?.position.rev }
        }

        var listed: [String] {
            get async throws { try await client.list(.byName, limit: 200).hits.map(\.landmark.name).sorted() }
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let context = try Context()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let database = Locked(SharedDatabase())
        let (first, second) = (
            StandbyStorage("a", database, in: directory), StandbyStorage("b", database, in: directory)
        )
        try await first.start(context)
        try await second.start(context)
        try await first.takeOver()
        var options = QueryOptions(listen: "ipc://\(directory.path)/q")
        options.storages = [first.endpoint, second.endpoint]
        let query = try QueryServer(options, context: context, logger: logger)
        let endpoint = try await query.start()
        let client = try await WaymarkClient(
            .init(endpoint: endpoint, user: "ada", timeout: .seconds(60)), context: context)
        var failure: (any Error)?
        do {
            #expect(await query.waitUntilReady(timeout: .seconds(60)))
            try await body(
                Scene(first: first, second: second, query: query, client: client, database: database))
        } catch { failure = error }
        await client.close()
        await query.stop()
        await first.stop()
        await second.stop()
        context.terminate()
        if let failure { throw failure }
    }

    /// Follows everything from the beginning until `count` changes have come.
    private func follow(_ scene: Scene, _ count: Int) -> Task<[Change], any Error> {
        let feed = scene.client.feed(since: .after(Position(epoch: SharedDatabase.epoch, rev: 0)))
        return Task { try await FeedTests.take(count, feed) }
    }

    /// Adds landmarks, eight at a time, until told to stop.
    private func write(_ scene: Scene, until isOver: Locked<Bool>) -> Task<[String: UInt64], any Error> {
        Task {
            try await withThrowingTaskGroup(of: [String: UInt64].self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        var acknowledged: [String: UInt64] = [:]
                        for number in 0..<2_000 where !isOver.withLock({ $0 }) {
                            let name = "\(writer) \(number)"
                            acknowledged[name] = try await scene.add(name).rev
                            try await Task.sleep(for: .milliseconds(20))
                        }
                        return acknowledged
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { _, later in later } }
            }
        }
    }

    enum End: CaseIterable { case closed, frozen, steppedDown }

    @Test(
        "writes go on at the second one: each acknowledged one is done, none twice; the feed has no hole",
        arguments: End.allCases)
    func takesOver(end: End) async throws {
        try await withScene { scene in
            let isOver = Locked(false)
            let writing = write(scene, until: isOver)
            try await until { scene.database.withLock { $0.head } > 40 }
            // Done, and not answered: in flight when the first one ends.
            await scene.first.swallow(5)
            try await until { await scene.first.swallowed == 0 }
            let thaw = DispatchSemaphore(value: 0)
            var frozen: Task<Void, Never>?
            switch end {
            case .closed: await scene.first.stop()
            case .frozen: frozen = Task { await scene.first.freeze(thaw) }
            case .steppedDown: await scene.first.stepDown()
            }
            // Silent for some beacons, or for a turn of the endpoints.
            try await Task.sleep(for: .milliseconds(end == .frozen ? 1_900 : 400))
            let before = scene.database.withLock { $0.head }
            let ready = ContinuousClock.now
            try await scene.second.takeOver()
            try await until { scene.database.withLock { $0.head } > before }
            let pause = ContinuousClock.now - ready
            print("takeover \(end): the first write is done \(pause) after the second storage is ready")
            // The turns of the endpoints have a test with a clock of its own; this machine may be busy.
            #expect(pause < .seconds(30))
            // What was frozen comes back, with what was sent to it.
            thaw.signal()
            await frozen?.value
            // Nothing is to come of it.
            try await Task.sleep(for: .milliseconds(500))
            isOver.withLock { $0 = true }
            let acknowledged = try await writing.value
            let (names, repeats) = try scene.database.withLock { (try $0.names, $0.repeats) }
            #expect(Set(names).count == names.count)
            for (name, rev) in acknowledged { #expect(names[Int(rev) - 1] == name) }
            #expect(Set(acknowledged.keys) == Set(names))
            // Those that the first one had not answered came again, under the same numbers.
            #expect(repeats >= 5)
            let followed = try await follow(scene, names.count).value
            #expect(followed.map(\.rev) == Array(1...UInt64(names.count)))
            #expect(followed.map(\.landmark.name) == names)
            try await until { try await scene.revision == UInt64(names.count) }
        }
    }

    /// - Parameters:
    ///   - lead: by how many changes that are in no history the first one is ahead of its own end.
    ///   - answersOnlyChannels: the query service uses the second one, and its own greeting there is never answered.
    @Test(
        "the first one comes back with its old run: nothing it says is believed, also when the second one is gone",
        arguments: [1, 20], [false, true])
    func oldRun(lead: Int, answersOnlyChannels: Bool) async throws {
        try await withScene { scene in
            for number in 0..<5 { _ = try await scene.add("before \(number)") }
            let thaw = DispatchSemaphore(value: 0)
            let isFrozen = Locked(false)
            let frozen = Task { await scene.first.freeze(thaw, hasBegun: isFrozen) }
            try await until { isFrozen.withLock(\.self) }
            try await scene.second.takeOver(answersOnlyChannels: answersOnlyChannels)
            for number in 0..<5 { _ = try await scene.add("after \(number)") }
            // Later there is no storage to ask for a change that the query service has missed.
            #expect(try await scene.listed.count == 10)
            thaw.signal()
            await frozen.value
            for _ in 0..<lead { try await scene.first.publishNonsense() }
            let before = await scene.first.greetings
            // Now only the first one answers, and it does not know that its term is over.
            await scene.second.stepDown()
            try await until { await scene.first.greetings >= before + 3 }
            try await scene.first.publishNonsense()
            let names = try await scene.listed
            #expect(names == (0..<5).flatMap { ["before \($0)", "after \($0)"] }.sorted())
            #expect(try await scene.revision == 10)
            let answer = try await scene.client.send(.with { $0.list.limit = 1 })
            #expect(answer.0?.isStorageAway == true)
            // The second one again, in a new run.
            try await scene.second.takeOver()
            #expect(try await scene.add("at last").rev == 11)
            try await until { try await scene.listed.count == 11 }
        }
    }
}
