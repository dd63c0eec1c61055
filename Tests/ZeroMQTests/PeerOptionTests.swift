// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite("What a peer is called, and what is known of it", .inShortTurn)
struct PeerOptionTests {
    @Test("A message carries its peer's user id, address, pattern and routing id")
    func properties() async throws {
        let context = try Context()
        var list = ZAPAllowList()
        list.admit(username: "ann", password: "secret", to: "d")
        let handler = try await ZAPHandler(context: context, admitting: list)
        try await withLoop { loop in
            let (service, endpoint) = try await teller(loop, context, .plainServer(domain: "d"), Transport.tcp)
            var options = SocketOptions.client
            options.security = .plainClient(username: "ann", password: "secret")
            options.routingID = [UInt8]("north".utf8)
            let client = Peer(loop)
            try await client.open(.dealer, context, options)
            try await client.connect(endpoint)
            try await client.send([[1]])
            let told = try await service.next().map { String(decoding: $0, as: UTF8.self) }
            #expect(
                told == [
                    "north", "userID=ann", "peerAddress=127.0.0.1", "socketType=DEALER", "routingID=north",
                ])
        }
        await handler.stop()
    }

    @Test("Where there is nothing to know, a property is nil")
    func noProperties() async throws {
        let context = try Context()
        try await withLoop { loop in
            let (service, endpoint) = try await teller(loop, context, nil, Transport.inproc)
            let client = Peer(loop)
            try await client.open(.dealer, context)
            try await client.connect(endpoint)
            try await client.send([[1]])
            let told = try await service.next().dropFirst().map { String(decoding: $0, as: UTF8.self) }
            #expect(
                told == [
                    "userID=", "peerAddress=", "socketType=", "routingID=",
                ])
        }
        #expect(Message().property(.userID) == nil)
        #expect(Message([[1]]).property(.userID) == nil)
    }

    @Test(
        "A routing id is 1 to 255 bytes that do not begin with zero",
        arguments: [
            ([], false), ([0, 1], false), ([1], true), ([UInt8](repeating: 7, count: 255), true),
            ([UInt8](repeating: 7, count: 256), false),
        ] as [([UInt8], Bool)])
    func routingID(id: [UInt8], isValid: Bool) throws {
        let context = try Context()
        var options = SocketOptions()
        options.routingID = id
        for kind in [Socket.Kind.dealer, .req, .rep, .router] {
            do throws(ZeroMQError) {
                _ = try Socket(kind, context: context, options: options)
                #expect(isValid)
            } catch {
                #expect(!isValid)
                #expect(error.code == .invalidArgument)
                #expect(error.operation == "ZMQ_ROUTING_ID")
            }
        }
        // It means nothing to the others.
        _ = try Socket(.push, context: context, options: options)
    }

    @Test("A relaxed req asks again before it was answered, and takes no late answer", arguments: [true, false])
    func relaxed(isRelaxed: Bool) async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            var options = SocketOptions.client
            options.reqRelaxed = isRelaxed
            options.reqCorrelate = isRelaxed
            let client = Peer(loop)
            try await client.open(.req, context, options)
            try await client.connect(endpoint)
            try await client.send([[1]])
            let first = try await service.next()
            #expect(first.last == [1])
            guard isRelaxed else {
                let error = await #expect(throws: ZeroMQError.self) { try await client.send([[2]]) }
                #expect(error?.code == .wrongState)
                return
            }
            try await client.send([[2]])
            let second = try await service.next()
            // Routing id, number, empty frame, body: the late answer comes before the other one.
            #expect(second.count == 4)
            try await service.send(Array(first.dropLast()) + [[11]])
            try await service.send(Array(second.dropLast()) + [[22]])
            #expect(try await client.next() == [[22]])
        }
    }

    /// A router that keeps of each message its routing id and what is known of its peer.
    private func teller(
        _ loop: EventLoop, _ context: Context, _ security: SocketSecurity?, _ transport: Transport,
        _ options: SocketOptions = .service
    ) async throws -> (Peer, String) {
        var options = options
        options.security = security
        let service = Peer(loop)
        try await service.open(.router, context, options) { peer, message in
            let properties = MessageProperty.allCases.map { "\($0)=\(message.property($0) ?? "")" }
            peer.keep([message.bytes(at: 0)] + properties.map { [UInt8]($0.utf8) })
        }
        return (service, try await service.bind(transport.endpoint()))
    }

    @Test("A socket works on each I/O thread, and one that the context does not have is ignored", arguments: [1, 2])
    func ioThreads(count: Int) async throws {
        let context = try Context(ioThreads: count)
        #expect(context.ioThreads == count)
        try await withLoop { loop in
            for thread in [-1, 0, 1, 62, 63, 1_000] {
                var options = SocketOptions.service
                options.ioThread = thread
                let (service, endpoint) = try await teller(loop, context, nil, Transport.tcp, options)
                let client = Peer(loop)
                var own = SocketOptions.client
                own.ioThread = thread
                try await client.open(.dealer, context, own)
                try await client.connect(endpoint)
                try await client.send([[1]])
                #expect(try await !service.next().isEmpty)
            }
        }
    }
}
