// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkTransport

@Suite("A channel to a service with several endpoints", .inShortTurn)
struct SeveralEndpointsTests {
    /// What a service does with requests, and whether it answers a greeting.
    private enum Behaviour { case answers, refuses, isAway, isSilent }

    /// Two services and a channel on one loop.
    private actor Scene {
        private let loop = EventLoop.forTest("several")
        private var servers: [RequestServer] = []
        private var behaviours: [Behaviour] = []
        private var channel: RequestChannel?
        /// For each service which requests it has received: a busy machine may have sent some of them again.
        private(set) var known: [Set<UInt64>] = [[], []]
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func start(_ context: Context, _ behaviours: [Behaviour]) throws {
            self.behaviours = behaviours
            for place in behaviours.indices {
                let server = try RequestServer(loop: loop, context: context, endpoint: "tcp://127.0.0.1:*")
                server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.receive(place) } }
                servers.append(server)
            }
            channel = try RequestChannel(loop: loop, context: context, endpoints: servers.map(\.endpoint))
        }

        func becomes(_ behaviour: Behaviour, at place: Int) { behaviours[place] = behaviour }

        private func receive(_ place: Int) {
            let server = servers[place]
            try? server.receive(count: 1_000, bytes: 1 << 20) { request in
                let behaviour = behaviours[place]
                guard behaviour != .isSilent else { return }
                let away = ServiceError(.unavailable, "Not now.", retryAfter: 100)
                if request.address.kind == .hello {
                    let welcome = WireReply.with { $0.welcome.protocol = 1 }
                    try? server.answer(
                        request.address, ReplyHeader(), (behaviour == .isAway ? WireReply(away) : welcome).encoded)
                    return
                }
                known[place].insert(request.header.key.sequence)
                let done = WireReply.with { $0.done = WireDone() }
                try? server.answer(
                    request.address, ReplyHeader(), (behaviour == .answers ? done : WireReply(away)).encoded)
            }
        }

        var place: Int? { channel.flatMap { $0.isConnected ? $0.place : nil } }

        func ask(_ sequence: UInt64) async -> ChannelOutcome {
            await withCheckedContinuation { continuation in
                let header = RequestHeader(key: RequestKey(client: UUIDv7(high: 1, low: 2), sequence: sequence))
                channel?.submit(
                    header, body: WireRequest.with { $0.status = WireStatus() }.encoded, milliseconds: 60_000
                ) {
                    continuation.resume(returning: $0)
                }
            }
        }

        func stop() async {
            channel?.close()
            for server in servers { server.close() }
            (channel, servers) = (nil, [])
            await loop.stop()
        }
    }

    private func withScene(_ behaviours: [Behaviour], _ body: (Scene) async throws -> Void) async throws {
        let context = try Context()
        let scene = Scene()
        try await scene.start(context, behaviours)
        var failure: (any Error)?
        do { try await body(scene) } catch { failure = error }
        await scene.stop()
        context.terminate()
        if let failure { throw failure }
    }

    /// Two services of which the channel has chosen the first one: the second one is away until then, because a busy
    /// machine may need more than the second that the first one has for its greeting.
    private func withFirst(
        _ behaviour: Behaviour, then other: Behaviour, _ body: (Scene) async throws -> Void
    ) async throws {
        try await withScene([behaviour, .isAway]) { scene in
            try await until { await scene.place == 0 }
            await scene.becomes(other, at: 1)
            try await body(scene)
        }
    }

    private func code(_ outcome: ChannelOutcome) -> String {
        guard case .answered(_, let body, let unanswered) = outcome else { return "\(outcome)" }
        return "\(ErrorCode(ofReply: body)?.name ?? "done") \(unanswered)"
    }

    @Test("a refusal of one that still serves is handed on")
    func refusal() async throws {
        try await withFirst(.refuses, then: .answers) { scene in
            #expect(code(await scene.ask(1)) == "unavailable 0")
            #expect(await scene.place == 0)
            #expect(await scene.known == [[1], []])
        }
    }

    @Test(
        "a refusal of one that does not serve any more is not: the request goes on at the next one, and counts as not done"
    )
    func notServing() async throws {
        try await withFirst(.answers, then: .answers) { scene in
            #expect(code(await scene.ask(1)) == "done 0")
            await scene.becomes(.isAway, at: 0)
            #expect(code(await scene.ask(2)) == "done 0")
            #expect(await scene.place == 1)
            #expect(await scene.known == [[1, 2], [2]])
        }
    }

    @Test("what a silent one was sent goes on at the next one, and may have been done by both")
    func silent() async throws {
        try await withFirst(.answers, then: .answers) { scene in
            #expect(code(await scene.ask(1)) == "done 0")
            await scene.becomes(.isSilent, at: 0)
            let outcome = code(await scene.ask(2))
            #expect(outcome.hasPrefix("done ") && outcome != "done 0")
            #expect(await scene.known[1] == [2])
        }
    }

    @Test("what a silent one was sent may have been done, also when the next one refuses it")
    func silentAndRefused() async throws {
        try await withFirst(.answers, then: .refuses) { scene in
            #expect(code(await scene.ask(1)) == "done 0")
            await scene.becomes(.isSilent, at: 0)
            let outcome = code(await scene.ask(2))
            #expect(outcome.hasPrefix("unavailable ") && outcome != "unavailable 0")
        }
    }

    @Test("nothing is sent to one that does not greet; the first one that does is used")
    func greeting() async throws {
        try await withScene([.isSilent, .isAway]) { scene in
            async let outcome = scene.ask(1)
            try await Task.sleep(for: .milliseconds(1_500))
            #expect(await scene.place == nil)
            await scene.becomes(.answers, at: 1)
            #expect(code(await outcome) == "done 0")
            #expect(await scene.known == [[], [1]])
        }
    }
}
