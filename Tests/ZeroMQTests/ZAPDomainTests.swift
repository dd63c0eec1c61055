// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("Who may connect to which domain", .inShortTurn)
struct ZAPDomainTests {
    private struct Server {
        let peer: Peer
        let endpoint: String
    }

    /// What a server says of a message: its sender's id, the id's bytes, the peer's address, and whether the descriptor is
    /// that of a TCP connection.
    private static func describe(_ message: borrowing Message) -> String {
        let bytes = message.withProperty(.userID) { String(decoding: $0, as: UTF8.self) }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isTCP = message.descriptor.map { descriptor in
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
            } && Int32(address.ss_family) == AF_INET
        }
        return "\(message.property(.userID) ?? "-") \(bytes ?? "-") \(isTCP.map { "\($0)" } ?? "-")"
    }

    private func serve(_ loop: EventLoop, _ context: Context, _ security: SocketSecurity?, at endpoint: String)
        async throws
        -> Server
    {
        var options = SocketOptions.service
        options.security = security
        // The first verdict counts, and on a busy machine a handshake may take longer than a service grants.
        options.handshakeTimeout = .seconds(60)
        let peer = Peer(loop)
        try await peer.open(.router, context, options, monitored: true) { peer, message in
            let text = Self.describe(message)
            var answer = Message()
            answer.append(message.take(at: 0))
            answer.append([UInt8](text.utf8))
            _ = try peer.send(&answer)
        }
        return Server(peer: peer, endpoint: try await peer.bind(endpoint))
    }

    @Test("two parts of a program share the handler; what neither decides about is decided as without them")
    func domains() async throws {
        let context = try Context()
        let handler = try await ZAPHandler(context: context)
        #expect(handler.isRunning)
        let (keys, ann, bob) = (
            try CurveKeyPair.generate(), try CurveKeyPair.generate(), try CurveKeyPair.generate()
        )
        await handler.decide(for: "ann's") { request in
            request.credentials == .curve(publicKey: ann.publicKey) ? .admit(userID: "ann") : .refuse
        }
        await handler.decide(for: "everybody's") { _ in .admit(userID: "somebody") }
        let verdicts = try await withLoop { loop in
            func verdict(_ pair: CurveKeyPair, _ domain: String) async throws -> String {
                let server = try await serve(
                    loop, context, .curveServer(secretKey: keys.secretKey, domain: domain), at: Transport.tcp.endpoint()
                )
                var options = SocketOptions.client
                options.security = .curveClient(serverKey: keys.publicKey, keys: pair)
                options.handshakeTimeout = .seconds(60)
                let client = Peer(loop)
                try await client.open(.dealer, context, options)
                try await client.connect(server.endpoint)
                guard await server.peer.event(where: isVerdict) == .handshakeSucceeded else { return "refused" }
                _ = try await client.sendWhenWritable([[1]])
                let answer = String(decoding: try await client.next()[0], as: UTF8.self)
                // Until here: a server that ends with its monitor does not answer.
                await server.peer.setReading(false)
                return answer
            }
            var verdicts = [
                try await verdict(ann, "ann's"), try await verdict(bob, "ann's"), try await verdict(bob, "everybody's"),
                try await verdict(ann, "nobody's"),
            ]
            await handler.decide(for: "everybody's", nil)
            verdicts.append(try await verdict(ann, "everybody's"))
            await handler.stop()
            verdicts.append(try await verdict(ann, "ann's"))
            return verdicts
        }
        #expect(
            verdicts == ["ann ann true", "refused", "somebody somebody true", "refused", "refused", "refused"])
        #expect(!handler.isRunning)
    }

    @Test("within a process a message has no descriptor and no id")
    func inproc() async throws {
        let context = try Context()
        try await withLoop { loop in
            let server = try await serve(loop, context, nil, at: Transport.inproc.endpoint())
            let client = Peer(loop)
            try await client.open(.dealer, context)
            try await client.connect(server.endpoint)
            _ = try await client.sendWhenWritable([[1]])
            let answer = String(decoding: try await client.next()[0], as: UTF8.self)
            await server.peer.setReading(false)
            #expect(answer == "- - -")
        }
    }
}
