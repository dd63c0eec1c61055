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

    /// A client without keys, and the server that it asks.
    private actor Keyless {
        private let loop = EventLoop.forTest("keyless")
        private var server: Socket?
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        /// Returns the outcome of a request after the client has learnt that it needs keys.
        func outcome() async throws -> ChannelOutcome {
            let context = try Context()
            let endpoint = try listen(try Self.keys, context)
            let channel = try RequestChannel(
                loop: loop, context: context, endpoints: [endpoint], endsWhenRefused: true)
            defer { channel.close() }
            await loop.wait { channel.lastFailure == .keysNeeded }
            let key = RequestKey(client: UUIDv7(high: 1, low: 2), sequence: 1)
            return await channel.ask(RequestHeader(key: key), body: [], milliseconds: 600_000)
        }

        /// Returns the failure that the channel tells after it found nothing at the second endpoint.
        func failure() async throws -> ConnectionFailure? {
            let context = try Context()
            let endpoint = try listen(try Self.keys, context)
            let channel = try RequestChannel(loop: loop, context: context, endpoints: [endpoint, "tcp://127.0.0.1:1"])
            defer { channel.close() }
            await loop.wait { channel.lastFailure == .keysNeeded }
            await loop.wait { channel.choice?.failureBefore == .unreachable }
            return channel.lastFailure
        }

        /// Returns the failure that a channel tells that knew of keys, when its server serves without them.
        func failureWhileServed() async throws -> ConnectionFailure? {
            let context = try Context()
            let channel = try RequestChannel(loop: loop, context: context, endpoints: [try listen(nil, context)])
            channel.disagreement = .keysNeeded
            defer { channel.close() }
            await loop.wait { channel.isConnected }
            return channel.lastFailure
        }

        private static var keys: SocketSecurity {
            get throws { .curveServer(secretKey: try CurveKeyPair.generate().secretKey, domain: "d") }
        }

        private func listen(_ security: SocketSecurity?, _ context: Context) throws -> String {
            var options = SocketOptions()
            options.security = security
            let server = try Socket(.router, context: context, options: options)
            let endpoint = try server.bind("tcp://127.0.0.1:*")
            self.server = consume server
            return endpoint
        }
    }

    @Test("the need of keys is known until a server serves without them")
    func kept() async throws {
        #expect(try await Keyless().failure() == .keysNeeded)
        #expect(try await Keyless().failureWhileServed() == nil)
    }

    @Test("a request after the refusal ends at once")
    func late() async throws {
        guard case .notConnected = try await Keyless().outcome() else {
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
