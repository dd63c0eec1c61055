// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestSupport
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkTransport

@Suite("The security mechanism in a server's greeting", .inShortTurn)
struct GreetingProbeTests {
    /// Holds the server too, on the probe's loop.
    private actor Asker {
        private let loop = EventLoop.forTest("greeting")
        private var server: Socket?
        private var probe: GreetingProbe?
        private var answers: [String?] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func answers(of security: SocketSecurity?) async throws -> [String?] {
            let context = try Context()
            var options = SocketOptions()
            options.security = security
            let server = try Socket(.router, context: context, options: options)
            let endpoint = try server.bind("tcp://127.0.0.1:*")
            self.server = consume server
            probe = try GreetingProbe(endpoint, loop: loop, context: context) { [weak self] mechanism in
                self?.assumeIsolated { $0.answers.append(mechanism) }
            }
            await loop.wait { !self.answers.isEmpty }
            return answers
        }
    }

    /// Asks a server with keys, without keys, after the client has learnt that it needs some.
    private actor Latecomer {
        private let loop = EventLoop.forTest("late")
        private var server: Socket?
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func outcome() async throws -> ChannelOutcome {
            let context = try Context()
            var options = SocketOptions()
            options.security = .curveServer(secretKey: try CurveKeyPair.generate().secretKey, domain: "d")
            let server = try Socket(.router, context: context, options: options)
            let endpoint = try server.bind("tcp://127.0.0.1:*")
            self.server = consume server
            let channel = try RequestChannel(
                loop: loop, context: context, endpoints: [endpoint], endsWhenRefused: true)
            defer { channel.close() }
            await loop.wait { channel.lastFailure == .keysNeeded }
            let key = RequestKey(client: UUIDv7(high: 1, low: 2), sequence: 1)
            return await channel.ask(RequestHeader(key: key), body: [], milliseconds: 600_000)
        }
    }

    /// Asks a server with keys and one that is not there, in turns.
    private actor Witness {
        private let loop = EventLoop.forTest("witness")
        private var server: Socket?
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        /// Returns the failure that the channel tells after it found nothing at the second endpoint.
        func failure() async throws -> ConnectionFailure? {
            let context = try Context()
            var options = SocketOptions()
            options.security = .curveServer(secretKey: try CurveKeyPair.generate().secretKey, domain: "d")
            let server = try Socket(.router, context: context, options: options)
            let endpoint = try server.bind("tcp://127.0.0.1:*")
            self.server = consume server
            let channel = try RequestChannel(loop: loop, context: context, endpoints: [endpoint, "tcp://127.0.0.1:1"])
            defer { channel.close() }
            await loop.wait { channel.lastFailure == .keysNeeded }
            await loop.wait { channel.choice?.failureBefore == .unreachable }
            return channel.lastFailure
        }

        /// Returns the failure that a channel tells that knew of keys, when its server serves without them.
        func failureWhileServed() async throws -> ConnectionFailure? {
            let context = try Context()
            let server = try Socket(.router, context: context)
            let channel = try RequestChannel(
                loop: loop, context: context, endpoints: [try server.bind("tcp://127.0.0.1:*")])
            channel.disagreement = .keysNeeded
            self.server = consume server
            defer { channel.close() }
            await loop.wait { channel.isConnected }
            return channel.lastFailure
        }
    }

    @Test("the need of keys is known until a server serves without them")
    func kept() async throws {
        #expect(try await Witness().failure() == .keysNeeded)
        #expect(try await Witness().failureWhileServed() == nil)
    }

    @Test("a request after the refusal ends at once")
    func late() async throws {
        guard case .notConnected = try await Latecomer().outcome() else {
            Issue.record("the request waited")
            return
        }
    }

    @Test("is read from servers with and without keys, each time", arguments: 1...10)
    func mechanisms(_ time: Int) async throws {
        let keys = try CurveKeyPair.generate()
        let curve = SocketSecurity.curveServer(secretKey: keys.secretKey, domain: "d")
        #expect(try await Asker().answers(of: curve) == ["CURVE"])
        #expect(try await Asker().answers(of: nil) == ["NULL"])
    }
}
