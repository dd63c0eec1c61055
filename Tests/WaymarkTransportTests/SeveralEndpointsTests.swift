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

    /// The machine stood still for so long that a channel may send a copy, or leave an endpoint that serves.
    private struct StoodStill: Error {}

    /// Two services and a channel on one loop.
    private actor Scene {
        private let loop = EventLoop.forTest("several")
        private var servers: [RequestServer] = []
        private var behaviours: [Behaviour] = []
        private var channel: RequestChannel?
        /// For each service which requests it has received, also those that it leaves unanswered.
        private(set) var known: [Set<UInt64>] = [[], []]
        /// When a service first answered a greeting with a welcome: no request is sent before.
        private var welcomedAt: UInt64?
        /// Whether the outcome counts even if the machine stood still.
        private let isLast: Bool
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(isLast: Bool) { self.isLast = isLast }

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
                let isGreeting = request.address.kind == .hello
                if !isGreeting { known[place].insert(request.header.key.sequence) }
                guard behaviour != .isSilent else { return }
                let away = ServiceError(.unavailable, "Not now.", retryAfter: 100)
                if isGreeting {
                    if behaviour != .isAway { welcomedAt = welcomedAt ?? Monotonic.milliseconds }
                    let welcome = WireReply.with { $0.welcome.protocol = 1 }
                    try? server.answer(
                        request.address, ReplyHeader(), (behaviour == .isAway ? WireReply(away) : welcome).encoded)
                    return
                }
                let done = WireReply.with { $0.done = WireDone() }
                try? server.answer(
                    request.address, ReplyHeader(), (behaviour == .answers ? done : WireReply(away)).encoded)
            }
        }

        var place: Int? { channel.flatMap { $0.isConnected ? $0.place : nil } }

        /// Throws if the first welcome is so long ago that the channel may have greeted again. A copy of a request, and
        /// a move because a greeting stays without an answer, come later still.
        func mustBePrompt() throws {
            if isLast { return }
            guard let welcomedAt, Monotonic.milliseconds - welcomedAt < EndpointFailover.quiet else {
                throw StoodStill()
            }
        }

        func ask(_ sequence: UInt64) async -> ChannelOutcome {
            await withCheckedContinuation { continuation in
                let header = RequestHeader(key: RequestKey(client: UUIDv7(high: 1, low: 2), sequence: sequence))
                channel?.submit(
                    header, body: WireRequest.with { $0.status = WireStatus() }.encoded, milliseconds: 10_000
                ) {
                    continuation.resume(returning: $0)
                }
            }
        }

        /// Asks when a service has just changed, which the channel cannot know yet.
        func ask(_ sequence: UInt64, once behaviour: Behaviour, at place: Int) async throws -> ChannelOutcome {
            try mustBePrompt()
            behaviours[place] = behaviour
            return await ask(sequence)
        }

        func stop() async {
            channel?.close()
            for server in servers { server.close() }
            (channel, servers) = (nil, [])
            await loop.stop()
        }
    }

    /// Runs `body` with a new scene, and with another one if the machine stood still meanwhile. The last one tells what a
    /// wrong product does.
    private func withScene(_ behaviours: [Behaviour], _ body: (Scene) async throws -> Void) async throws {
        for _ in 1..<8 {
            do { return try await withOneScene(behaviours, isLast: false, body) } catch is StoodStill {}
        }
        try await withOneScene(behaviours, isLast: true, body)
    }

    private func withOneScene(
        _ behaviours: [Behaviour], isLast: Bool, _ body: (Scene) async throws -> Void
    ) async throws {
        let context = try Context()
        let scene = Scene(isLast: isLast)
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
            let (outcome, place) = (code(await scene.ask(1)), await scene.place)
            try await scene.mustBePrompt()
            #expect(outcome == "unavailable 0" && place == 0)
            #expect(await scene.known == [[1], []])
        }
    }

    @Test(
        "a refusal of one that does not serve any more is not: the request goes on at the next one, and counts as not done"
    )
    func notServing() async throws {
        try await withFirst(.answers, then: .answers) { scene in
            let first = code(await scene.ask(1))
            let second = code(try await scene.ask(2, once: .isAway, at: 0))
            let place = await scene.place
            try await scene.mustBePrompt()
            #expect(first == "done 0" && second == "done 0" && place == 1)
            #expect(await scene.known == [[1, 2], [2]])
        }
    }

    @Test("what a silent one was sent goes on at the next one, and may have been done by both")
    func silent() async throws {
        try await withFirst(.answers, then: .answers) { scene in
            let first = code(await scene.ask(1))
            let outcome = code(try await scene.ask(2, once: .isSilent, at: 0))
            #expect(first == "done 0")
            #expect(outcome.hasPrefix("done ") && outcome != "done 0")
            #expect(await scene.known[1] == [2])
        }
    }

    @Test("what a silent one was sent may have been done, also when the next one refuses it")
    func silentAndRefused() async throws {
        try await withFirst(.answers, then: .refuses) { scene in
            let first = code(await scene.ask(1))
            let outcome = code(try await scene.ask(2, once: .isSilent, at: 0))
            #expect(first == "done 0")
            #expect(outcome.hasPrefix("unavailable ") && outcome != "unavailable 0")
        }
    }

    @Test("nothing is sent to one that does not greet; the first one that does is used")
    func greeting() async throws {
        try await withScene([.isSilent, .isAway]) { scene in
            async let outcome = scene.ask(1)
            try await Task.sleep(for: .milliseconds(1_500))
            #expect(await scene.place == nil)
            #expect(await scene.known == [[], []])
            await scene.becomes(.answers, at: 1)
            let told = code(await outcome)
            try await scene.mustBePrompt()
            #expect(told == "done 0")
            #expect(await scene.known == [[], [1]])
        }
    }
}
