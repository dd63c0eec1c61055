// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct CurveTests {
    @Test("Keys are read and written as Z85, and shown to nobody")
    func keys() throws {
        let pair = try CurveKeyPair.generate()
        #expect(try CurveKeyPair.generate() != pair)
        #expect(try CurveKeyPair(secretKey: pair.secretKey) == pair)
        #expect(pair.secretKey.bytes.count == 32)
        #expect(pair.secretKey.z85.utf8.count == 40)
        #expect(CurveKey(z85: pair.secretKey.z85) == pair.secretKey)
        #expect(CurveKey(bytes: pair.publicKey.bytes) == pair.publicKey)
        #expect(!"\(pair)".contains(pair.secretKey.z85))
        #expect(CurveKey(bytes: [1, 2, 3]) == nil)
        #expect(CurveKey(z85: "short") == nil)
        #expect(CurveKey(z85: String(repeating: "é", count: 20)) == nil)
        #expect(CurveKey(z85: String(repeating: "~", count: 40)) == nil)
    }

    @Test("A server without a domain is refused: its domain could not be enforced")
    func emptyDomain() throws {
        let context = try Context()
        var options = SocketOptions.service
        options.security = .curveServer(secretKey: try CurveKeyPair.generate().secretKey, domain: "")
        #expect { try Socket(.router, context: context, options: options).kind } throws: { error in
            (error as? ZeroMQError)?.operation == "ZMQ_ZAP_DOMAIN"
        }
    }

    @Test(
        "With a handler that admits, an encrypted round trip; with one that refuses, status 400",
        arguments: [true, false])
    func roundTrip(admits: Bool) async throws {
        try await withCurve(answer: admits ? .admit(userID: "") : .refuse) { service, client in
            if admits {
                await client.event(.handshakeSucceeded)
                let payload = [[1], [UInt8](repeating: 2, count: 5000)]
                _ = try await client.sendWhenWritable(payload)
                #expect(try await client.next() == payload)
            } else {
                let failure = await service.event(where: isVerdict)
                #expect(failure == .handshakeFailed(.auth(status: 400)))
                #expect(try await client.send([[1]]) == .wouldBlock)
            }
        }
    }

    @Test("Without a ZAP handler nobody gets in")
    func noHandler() async throws {
        try await withCurve(answer: nil) { service, client in
            let event = await service.event(where: isVerdict)
            #expect(event != .handshakeSucceeded)
            let outcome = try await client.send([[1]])
            #expect(outcome == .wouldBlock)
        }
    }

    @Test("A peer without CURVE does not get in")
    func plainPeer() async throws {
        try await withCurve(answer: .admit(userID: ""), isClientPlain: true) { service, client in
            let event = await service.event(where: isVerdict)
            #expect(event != .handshakeSucceeded)
            let outcome = try await client.send([[1]])
            #expect(outcome == .wouldBlock)
        }
    }

    /// An echoing CURVE server and a client that connects to it, with a ZAP handler that always gives this answer.
    private func withCurve(
        answer: ZAPAnswer?, isClientPlain: Bool = false, _ body: @Sendable (Peer, Peer) async throws -> Void
    ) async throws {
        let context = try Context()
        let (serverKeys, clientKeys) = (try CurveKeyPair.generate(), try CurveKeyPair.generate())
        try await withLoop { loop in
            var handler: ZAPHandler?
            if let answer {
                handler = try await ZAPHandler(context: context) { request in
                    #expect(request.domain == "test")
                    #expect(request.credentials == .curve(publicKey: clientKeys.publicKey))
                    return answer
                }
            }
            var options = SocketOptions.service
            options.security = .curveServer(secretKey: serverKeys.secretKey, domain: "test")
            // The first verdict counts, and on a busy machine a handshake may take longer than a service grants.
            options.handshakeTimeout = .seconds(60)
            let service = Peer(loop)
            try await service.open(.router, context, options, monitored: true, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            options = .client
            options.handshakeTimeout = .seconds(60)
            // What is sent before the handshake is refused, instead of waiting for a connection that never comes.
            options.immediate = true
            if !isClientPlain {
                options.security = .curveClient(serverKey: serverKeys.publicKey, keys: clientKeys)
            }
            let client = Peer(loop)
            try await client.open(.dealer, context, options, monitored: true)
            try await client.connect(endpoint)
            try await body(service, client)
            await handler?.stop()
        }
    }
}

/// The end of a handshake, one way or the other.
@Sendable func isVerdict(_ event: SocketEvent) -> Bool {
    if case .handshakeFailed = event { return true }
    return event == .handshakeSucceeded
}
