// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Requests of the same process", .inShortTurn)
struct LocalRequestsTests {
    /// A service that receives requests of its own process. It answers those whose user is "answer".
    private actor Service {
        private let loop = EventLoop.forTest("local")
        nonisolated let local = LocalRequests()
        private var server: RequestServer?
        private(set) var taken: [IncomingRequest] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func start(_ context: Context) throws {
            let server = try RequestServer(loop: loop, context: context, endpoint: "tcp://127.0.0.1:*")
            server.local = local
            self.server = server
            local.start(on: loop) { [weak self] in self?.assumeIsolated { $0.receive() } }
        }

        private func receive() {
            server?.receiveLocal(version: 1, nanoseconds: .max) { request in
                taken.append(request)
                guard request.header.user == "answer" else { return }
                try? server?.answer(request.address, ReplyHeader(ageMs: 5), WireReply().encoded)
            }
        }

        func refuse(_ index: Int) throws {
            try server?.refuse(taken[index].address, ReplyHeader(), ServiceError(.busy, "No."))
        }

        func answerTooLarge(_ index: Int) throws {
            try server?.answer(
                taken[index].address, ReplyHeader(), byteCount: WaymarkProtocol.messageBytes + 1, fill: { _ in })
        }

        /// Nil if no such request was taken.
        func isGone(_ index: Int) -> Bool? {
            guard taken.indices.contains(index) else { return nil }
            return server?.isGone(taken[index].address) ?? true
        }

        var counters: RequestCounters? { server?.counters }
        var tally: [RequestTally.Line] { server?.tally.lines ?? [] }

        /// Runs `body` while the loop receives nothing.
        func block(_ body: @Sendable () throws -> Void) rethrows { try body() }

        func close() async {
            server?.close()
            server = nil
            await loop.stop()
        }
    }

    private static let body = WireRequest.with { $0.status = WireStatus() }.encoded

    private static func header(_ user: String = "") -> RequestHeader {
        RequestHeader(key: RequestKey(client: UUIDv7(high: 1, low: 2), sequence: 1), user: user)
    }

    private func withService(_ body: (Service) async throws -> Void) async throws {
        let (context, service) = (try Context(), Service())
        do {
            try await service.start(context)
            try await body(service)
        } catch {
            await service.close()
            throw error
        }
        await service.close()
        context.terminate()
    }

    private static func code(_ outcome: ChannelOutcome) -> ErrorCode? {
        guard case .answered(_, let body, _) = outcome else { return nil }
        return ErrorCode(ofReply: body)
    }

    @Test("are answered, refused and counted like those from a socket, each under a key of its own")
    func counted() async throws {
        try await withService { service in
            for _ in 0..<3 {
                let outcome = await service.local.ask(Self.header("answer"), body: Self.body, milliseconds: 60_000)
                guard case .answered(let header, let body, 0) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect(header.ageMs == 5 && body == WireReply().encoded)
            }
            async let refused = service.local.ask(Self.header(), body: Self.body, milliseconds: 60_000)
            try await until { await service.taken.count == 4 }
            try await service.refuse(3)
            #expect(Self.code(await refused) == .busy)
            async let large = service.local.ask(Self.header(), body: Self.body, milliseconds: 60_000)
            try await until { await service.taken.count == 5 }
            try await service.answerTooLarge(4)
            #expect(Self.code(await large) == .tooLarge)
            #expect(Set(await service.taken.map(\.address.key)).count == 5)
            #expect(await service.taken.allSatisfy { $0.address.kind == .status && $0.address.isLocal })
            let counters = try #require(await service.counters)
            #expect(counters.received == 5 && counters.answered == 5)
            #expect(counters.refused == [.busy: 1, .tooLarge: 1])
            #expect(await service.tally.map(\.count) == [3, 1, 1])
        }
    }

    @Test("end at their deadline without an answer, and are not handled after it")
    func deadline() async throws {
        try await withService { service in
            // On a busy machine the loop may come to a request only after its deadline, and then does not take it.
            var milliseconds: UInt64 = 50
            while await service.taken.isEmpty {
                milliseconds *= 2
                try #require(milliseconds < 60_000, "no request was taken")
                let outcome = await service.local.ask(Self.header(), body: Self.body, milliseconds: milliseconds)
                guard case .timedOut = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
            }
            #expect(await service.isGone(0) == true)
            let remaining = try #require(await service.taken.first?.remaining)
            #expect((0...milliseconds).contains(remaining))
            // The loop hangs, and another request ends nevertheless.
            let late = Locked<ChannelOutcome?>(nil)
            try await service.block {
                Task {
                    let outcome = await service.local.ask(Self.header("answer"), body: Self.body, milliseconds: 1)
                    late.withLock { $0 = outcome }
                }
                try blockUntil { late.withLock { $0 } != nil }
            }
            guard case .timedOut? = late.withLock({ $0 }) else {
                Issue.record("a request was answered while the loop hung")
                return
            }
            #expect(await service.taken.count == 1)
        }
    }

    @Test("are limited in size, number and bytes")
    func limits() async throws {
        try await withService { service in
            let large = [UInt8](repeating: 0, count: WaymarkProtocol.messageBytes + 1)
            guard case .tooLarge = await service.local.ask(Self.header(), body: large, milliseconds: 1_000) else {
                Issue.record("too large a request was sent")
                return
            }
            let most = 64 * 1024 * 1024 / WaymarkProtocol.messageBytes
            let filling = [UInt8](repeating: 0, count: WaymarkProtocol.messageBytes)
            let waiting = (0..<most).map { _ in
                Task { await service.local.ask(Self.header(), body: filling, milliseconds: 120_000) }
            }
            try await until { await service.taken.count == most }
            guard case .tooMany = await service.local.ask(Self.header("answer"), body: Self.body, milliseconds: 60_000)
            else {
                Issue.record("more bytes wait than may")
                return
            }
            waiting[0].cancel()
            guard case .cancelled = await waiting[0].value else {
                Issue.record("not cancelled")
                return
            }
            let answered = await service.local.ask(Self.header("answer"), body: Self.body, milliseconds: 60_000)
            guard case .answered = answered else {
                Issue.record("\(answered)")
                return
            }
            await service.close()
            for task in waiting.dropFirst() {
                guard case .notConnected = await task.value else {
                    Issue.record("not ended by the end")
                    return
                }
            }
            let after = await service.local.ask(Self.header("answer"), body: Self.body, milliseconds: 60_000)
            guard case .notConnected = after else {
                Issue.record("\(after)")
                return
            }
        }
    }

    @Test("of a cancelled task are gone for the service")
    func cancelled() async throws {
        try await withService { service in
            let task = Task { await service.local.ask(Self.header(), body: Self.body, milliseconds: 60_000) }
            try await until { await service.taken.count == 1 }
            #expect(await service.isGone(0) == false)
            task.cancel()
            guard case .cancelled = await task.value else {
                Issue.record("not cancelled")
                return
            }
            #expect(await service.isGone(0) == true)
        }
    }
}
