// SPDX-License-Identifier: Apache-2.0

import TestProcess
import TestTurns
import Testing
import ZeroMQ

@Suite("Load tests of a bus where nobody answers, as a process", .serialized, .inTurn)
struct ProcessLoadNobodyTests {
    /// The result of a short test with an assertion that holds if nothing is done.
    ///
    /// - Parameter isThere: whether a peer listens at the endpoint.
    private func bench(
        _ pattern: String, _ endpoint: String, _ rest: String..., isThere: Bool = true
    ) async throws -> ProcessResult {
        let words = [pattern, endpoint, "--count", "2", "--warmup", "0s", "--assert", "late=0"] + rest
        var result: ProcessResult?
        try await withBench { bench in
            if isThere {
                result = try await bench.bus(words, at: endpoint)
            } else {
                result = try await bench.finish("waymark", ["bench", "bus"] + words)
            }
        }
        return try #require(result)
    }

    /// Runs `body` with the endpoint of a peer.
    private func withPeer(_ peer: ProcessLoadPeer, _ body: (String) async throws -> Void) async throws {
        let endpoint = try await peer.endpoint.wait(.seconds(60), for: "the peer") { $0 }
        try await body(endpoint)
        try await peer.stop()
    }

    @Test("nobody listens: a sentence, 3, and no figures", arguments: ["req", "push", "pub"])
    func nobody(_ pattern: String) async throws {
        let endpoint = try Ports.endpoint()
        let result = try await bench(pattern, endpoint, isThere: false)
        #expect(result.status == 3 && result.out.isEmpty, "\(result)")
        #expect(result.err.contains { $0.contains("Nobody listens at \(endpoint)") }, "\(result)")
    }

    @Test("nobody listens where the messages should arrive", arguments: ["push", "pub"])
    func nobodyForwards(_ pattern: String) async throws {
        try await withPeer(ProcessLoadPeer(pattern == "push" ? .pull : .sub)) { endpoint in
            let far = try Ports.endpoint()
            let result = try await bench(pattern, endpoint, "--receive", far)
            #expect(result.status == 3 && result.err.contains { $0.contains("Nobody listens at \(far)") }, "\(result)")
        }
    }

    @Test("a socket that does not fit", arguments: [("req", Socket.Kind.pub), ("push", .rep), ("pub", .pull)])
    func otherKind(_ pattern: String, _ kind: Socket.Kind) async throws {
        try await withPeer(ProcessLoadPeer(kind)) { endpoint in
            let result = try await bench(pattern, endpoint)
            #expect(result.status == 3 && result.out.isEmpty, "\(result)")
            #expect(result.err.contains { $0.contains("The handshake with \(endpoint) failed") }, "\(result)")
        }
    }

    @Test("a socket that asks for CURVE", arguments: ["req", "push", "pub"])
    func curve(_ pattern: String) async throws {
        var options = SocketOptions()
        options.security = .curveServer(secretKey: try CurveKeyPair.generate().secretKey, domain: "bench")
        let kind: Socket.Kind = pattern == "req" ? .rep : pattern == "push" ? .pull : .sub
        try await withPeer(ProcessLoadPeer(kind, options: options)) { endpoint in
            let result = try await bench(pattern, endpoint)
            #expect(result.status == 3 && result.err.contains { $0.contains("CURVE") }, "\(result)")
        }
    }

    @Test("a peer that answers nothing breaks every assertion, and fails without one")
    func mute() async throws {
        try await withPeer(ProcessLoadPeer(.router)) { endpoint in
            let result = try await bench("req", endpoint, "--timeout", "2s", "--assert", "errors=2")
            #expect(result.status == 1, "\(result)")
            for assertion in ["late=0", "errors=2"] {
                #expect(result.err.contains { $0.contains("\(assertion) is broken: nothing was done") }, "\(result)")
            }
            try await withBench { bench in
                let plain = try await bench.bus(
                    ["req", endpoint, "--count", "2", "--warmup", "0s", "--timeout", "2s"], at: endpoint)
                #expect(plain.status == 1 && plain.err.contains { $0.contains("nothing was done") }, "\(plain)")
            }
        }
    }

    @Test("IPv6")
    func ipv6() async throws {
        var options = SocketOptions()
        options.ipv6 = true
        try await withPeer(ProcessLoadPeer(.rep, at: "tcp://[::1]:*", options: options)) { endpoint in
            try await withBench { bench in
                let run = try await bench.bus(
                    ["req", endpoint, "--count", "2", "--warmup", "0s", "-o", "json"], at: endpoint
                ).report().runs[0]
                #expect(run.figures.done == 2 && run.figures.failures == 0)
            }
        }
        try await withPeer(ProcessLoadPeer(.pull, at: "tcp://[::1]:*", options: options)) { endpoint in
            try await withBench { bench in
                let run = try await bench.bus(
                    ["push", endpoint, "--count", "2", "--warmup", "0s", "-o", "json"], at: endpoint
                ).report().runs[0]
                #expect(run.figures.done == 2)
            }
        }
    }
}
