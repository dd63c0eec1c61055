// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import QueryService
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Loading a replica from a storage that is busy", .inTurn)
struct LoadingTests {
    private func withQuery(
        _ script: @escaping ScriptedStorage.Page,
        _ body: (QueryServer, ScriptedStorage, String, Context) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let context = try Context()
        let storage = ScriptedStorage(script)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let query = try QueryServer(
            QueryOptions(
                listen: "ipc://\(directory.path)/q", storage: try await storage.start(context, in: directory)),
            context: context, logger: logger)
        var failure: (any Error)?
        do {
            try await body(query, storage, try await query.start(), context)
        } catch { failure = error }
        await query.stop()
        await storage.stop()
        context.terminate()
        if let failure { throw failure }
    }

    private static let busy = ScriptedStorage.Answer.refused(ServiceError(.busy, "Too many reads.", retryAfter: 10))

    /// The pages in order. One without an answer for a second is requested again, at once after itself.
    private static func withoutCopies(_ asked: [Int]) -> [Int] {
        asked.reduce(into: []) { pages, page in if pages.last != page { pages.append(page) } }
    }

    @Test("a page refused with BUSY is requested again, the pages before it are not")
    func busyPage() async throws {
        try await withQuery({ after, times in after == 20 && times < 4 ? Self.busy : .page }) { query, storage, _, _ in
            #expect(await query.waitUntilReady(timeout: .seconds(60)))
            let asked = storage.asked
            #expect(Self.withoutCopies(asked) == [0, 10, 20, 30] && asked.count { $0 == 20 } >= 5)
            #expect(await query.health().problems == [])
            await query.stop()
            #expect(await query.health().problems == ["The service is stopping."])
        }
    }

    @Test("a wrong password that took long to check is told as that, and not asked about again and again")
    func wrongPassword() async throws {
        try await withQuery({ _, _ in .page }) { query, storage, endpoint, context in
            #expect(await query.waitUntilReady(timeout: .seconds(60)))
            let client = try await WaymarkClient(
                .init(endpoint: endpoint, user: "ann", timeout: .seconds(60)), context: context)
            let error = await #expect(throws: ClientError.self) {
                try await client.setPassword(old: Array("not this one".utf8), new: Array("another secret".utf8))
            }
            await client.close()
            // The answer to the first copy came after the second one was sent.
            #expect(storage.passwords >= 2)
            guard case .refused(let refusal) = error, refusal.code == .wrongPassword else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a restarted storage is read from the beginning")
    func restarted() async throws {
        try await withQuery({ after, times in after == 20 && times == 0 ? .restarted : .page }) {
            query, storage, _, _ in
            #expect(await query.waitUntilReady(timeout: .seconds(60)))
            #expect(Self.withoutCopies(storage.asked) == [0, 10, 20, 0, 10, 20, 30])
        }
    }

    @Test("health reports the progress of loading, and why it cannot proceed")
    func trouble() async throws {
        try await withQuery({ after, times in after < 10 ? .page : times < 1_000 ? Self.busy : .page }) {
            query, _, endpoint, context in
            let problems = try await problems(of: query) { $0.contains("Too many reads.") }
            #expect(problems.count == 1)
            let peer = RawPeer()
            try await peer.open(endpoint, context: context)
            let reply = try? await peer.ask(.with { $0.status = WireStatus() }, RawPeer.header(1))
            await peer.close()
            let status = try #require(reply).1.status.query
            #expect(status.problems == problems && !status.ready)
            let progress = try #require(await query.loading)
            #expect(progress.landmarks == 10 && progress.total == UInt64(ScriptedStorage.landmarks))
            #expect(await !query.waitUntilReady(timeout: .zero))
        }
        try await withQuery({ _, _ in .unreadable }) { query, storage, _, _ in
            _ = try await problems(of: query) { $0.contains("this release cannot read") }
            // The problem stays reported while the next attempt is under way.
            let asked = storage.asked.count
            try await until {
                #expect(await query.health().problems.contains { $0.contains("this release cannot read") })
                return storage.asked.count >= asked + 2
            }
        }
    }

    /// The reported problems, as soon as one of them is the wanted one.
    private func problems(of query: QueryServer, where isWanted: (String) -> Bool) async throws -> [String] {
        var problems: [String] = []
        try await until("its problem is the wanted one, and not \(problems)") {
            problems = await query.health().problems
            return problems.contains(where: isWanted)
        }
        return problems
    }
}
