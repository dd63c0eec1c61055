// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import LoadTest

@Suite("Load on a bus that is not ours", .serialized, .inTurn)
struct BusPeerTests {
    private static let ten = LoadShape(loop: .closed(window: 2), end: .count(10), warmUp: 0)

    /// The reason why the probe finds no peer; nil if it does.
    private func refusal(_ security: SocketSecurity?, at endpoint: String) async throws -> BusPeerError.Reason? {
        // On a busy machine libzmq's thread may need longer for the connection than the probe waits for it.
        for _ in 0..<4 {
            let reason = try await probe(security, at: endpoint)
            if reason != .nobody { return reason }
        }
        return try await probe(security, at: endpoint)
    }

    private func probe(_ security: SocketSecurity?, at endpoint: String) async throws -> BusPeerError.Reason? {
        do {
            try await BusProbe.meet(.dealer, at: endpoint, security: security, stop: LoadStop())
            return nil
        } catch let error as BusPeerError {
            return error.reason
        }
    }

    @Test("CURVE: an admitted key is measured; other keys, other servers and no key at all have their reasons")
    func curve() async throws {
        let (server, own, other) = (
            try CurveKeyPair.generate(), try CurveKeyPair.generate(), try CurveKeyPair.generate()
        )
        let context = try Context()
        var list = ZAPAllowList()
        list.admit(own.publicKey, as: "ann", to: "bench")
        let zap = try await ZAPHandler(context: context, admitting: list)
        var options = SocketOptions()
        options.security = .curveServer(secretKey: server.secretKey, domain: "bench")
        try await withPeer([.rep], options, in: context, handle: { _, _ in 0 }) { endpoints in
            let security = SocketSecurity.curveClient(serverKey: server.publicKey, keys: own)
            #expect(try await refusal(security, at: endpoints[0]) == nil)
            var test = BusRequestTest(size: 40, timeout: 60_000_000_000)
            test.target = BusTarget(endpoint: endpoints[0], security: security)
            let figures = try await test.run(Self.ten, LoadWatch()).figures
            #expect(figures.done == 10 && figures.failures == 0)
            // A server may close before its whole greeting has left, and then its mechanism stays unknown.
            for (wrong, reasons) in [
                (.curveClient(serverKey: server.publicKey, keys: other), [.refused]),
                (.curveClient(serverKey: other.publicKey, keys: own), [.brokeOff]),
                (.plainClient(username: "ann", password: "x"), [.otherSecurity, .brokeOff]),
                (nil, [.otherSecurity, .brokeOff]),
            ] as [(SocketSecurity?, Set<BusPeerError.Reason?>)] {
                let reason = try await refusal(wrong, at: endpoints[0])
                #expect(reasons.contains(reason), "\(reason as Any) with \(wrong as Any)")
            }
        }
        await zap.stop()
    }

    @Test("PLAIN, also one way; a wrong password is refused")
    func plain() async throws {
        let context = try Context()
        var list = ZAPAllowList()
        list.admit(username: "ann", password: "secret", to: "bench")
        let zap = try await ZAPHandler(context: context, admitting: list)
        var options = SocketOptions()
        options.security = .plainServer(domain: "bench")
        let security = SocketSecurity.plainClient(username: "ann", password: "secret")
        // What arrives at the first end leaves by the second one.
        try await withPeer([.pull, .push], options, in: context, handle: { _, _ in 1 }) { endpoints in
            var test = BusStreamTest(.push)
            (test.target, test.patience) = (
                BusTarget(endpoint: endpoints[0], receive: endpoints[1], security: security), 60_000_000_000
            )
            let figures = try await test.run(Self.ten, LoadWatch()).figures
            #expect(figures.done == 10 && figures.lost == 0)
        }
        try await withPeer([.rep], options, in: context, handle: { _, _ in 0 }) { endpoints in
            let wrong = SocketSecurity.plainClient(username: "ann", password: "wrong")
            let reasons = [
                try await refusal(security, at: endpoints[0]), try await refusal(wrong, at: endpoints[0]),
            ]
            #expect(reasons == [nil, .refused])
        }
        await zap.stop()
    }

    @Test("dealer: the frames as they are, and the answer's last frame decides", arguments: [1, 3])
    func dealer(frames: Int) async throws {
        let shapes = Mutex<Set<Int>>([])
        try await withPeer(
            [.router],
            handle: { message, _ in
                let (count, size) = (message.count, message.byteCount(at: message.count - 1))
                shapes.withLock { _ = $0.insert(count * 1_000 + size) }
                return 0
            }
        ) { endpoints in
            var test = BusRequestTest(timeout: 60_000_000_000)
            (test.target.endpoint, test.envelope) = (endpoints[0], .dealer)
            test.message = BusMessage(.fixed(50), frames: frames)
            let figures = try await test.run(Self.ten, LoadWatch()).figures
            #expect(figures.done == 10 && figures.failures == 0 && figures.bytes == UInt64(10 * 50 * frames))
        }
        // The router's name for the peer, and the frames.
        #expect(shapes.withLock { $0 } == [(1 + frames) * 1_000 + 50])
    }

    @Test("req with several frames of various sizes comes back from REP")
    func parts() async throws {
        let sizes = MessageSizes.uniform(20...5_000)
        let bytes = (UInt64(1)...10).reduce(0) { $0 + 3 * sizes.size(of: $1, seed: 1, least: 16) }
        try await withPeer([.rep], handle: { _, _ in 0 }) { endpoints in
            var test = BusRequestTest(timeout: 60_000_000_000)
            (test.target.endpoint, test.message) = (endpoints[0], BusMessage(sizes, frames: 3))
            let figures = try await test.run(Self.ten, LoadWatch()).figures
            #expect(figures.done == 10 && figures.bytes == UInt64(bytes))
        }
    }

    @Test(
        "answers that fit no request are told apart from none",
        arguments: [BusRequestPort.Envelope.numbered, .echo, .dealer], [3, 20])
    func foreign(_ envelope: BusRequestPort.Envelope, _ bytes: Int) async throws {
        try await withPeer(
            [.router],
            handle: { message, _ in
                var answer = Message()
                answer.append(message.take(at: 0))
                if envelope == .echo { answer.append([]) }
                answer.append([UInt8](repeating: 0xff, count: bytes))
                swap(&message, &answer)
                return 0
            }
        ) { endpoints in
            let shape = LoadShape(loop: .closed(window: 3), end: .count(3), warmUp: 0)
            var errors: [String: UInt64] = [:]
            // On a busy machine the first answers may come after the first of these.
            for seconds in [2, 4, 8, 16] as [UInt64] where errors["foreign_answer", default: 0] < 3 {
                var test = BusRequestTest(timeout: seconds * 1_000_000_000)
                (test.target.endpoint, test.envelope) = (endpoints[0], envelope)
                let figures = try await test.run(shape, LoadWatch()).figures
                #expect(figures.done == 0)
                errors = figures.errors
            }
            #expect(errors == ["foreign_answer": 3, "timed_out": 3])
        }
    }
}
