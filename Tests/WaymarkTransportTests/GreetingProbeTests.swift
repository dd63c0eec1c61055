// SPDX-License-Identifier: Apache-2.0

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

    @Test("is read from servers with and without keys, each time", arguments: 1...10)
    func mechanisms(_ time: Int) async throws {
        let keys = try CurveKeyPair.generate()
        let curve = SocketSecurity.curveServer(secretKey: keys.secretKey, domain: "d")
        #expect(try await Asker().answers(of: curve) == ["CURVE"])
        #expect(try await Asker().answers(of: nil) == ["NULL"])
    }
}
