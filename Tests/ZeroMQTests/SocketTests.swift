// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct SocketTests {
    @Test("Errors say what failed, where and why")
    func errors() throws {
        let context = try Context()
        let socket = try Socket(.router, context: context)
        let endpoint = try socket.bind(Transport.tcp.endpoint())
        let other = try Socket(.router, context: context)
        func error(_ body: () throws(ZeroMQError) -> Void) -> ZeroMQError? {
            do throws(ZeroMQError) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        let inUse = try #require(error { () throws(ZeroMQError) in try other.bind(endpoint) })
        #expect(inUse.code == .addressInUse && inUse.errno == EADDRINUSE)
        #expect(inUse.operation == "zmq_bind" && inUse.endpoint == endpoint)
        #expect(
            inUse.description
                == "The endpoint \(endpoint) is in use already: stop the server there, or listen at another one.")
        #expect(error { () throws(ZeroMQError) in try other.bind("nonsense") }?.code == .invalidArgument)
        #expect(error { () throws(ZeroMQError) in try other.bind("smoke://signal") }?.code == .unsupportedProtocol)
        #expect(error { () throws(ZeroMQError) in try other.bind("tcp://192.0.2.1:9") }?.code == .addressNotAvailable)
        #expect(error { () throws(ZeroMQError) in try other.unbind("tcp://127.0.0.1:1") }?.code == .noSuchEndpoint)
        #expect(error { () throws(ZeroMQError) in try other.subscribe([1]) }?.code == .invalidArgument)
        var message = Message([[1]])
        let sub = try Socket(.sub, context: context)
        #expect(error { () throws(ZeroMQError) in _ = try sub.send(&message) }?.code == .notSupported)
        #expect(message.frames == [[1]])
        let rep = try Socket(.rep, context: context)
        #expect(error { () throws(ZeroMQError) in _ = try rep.send(&message) }?.code == .wrongState)
        try socket.unbind(endpoint)
    }

    @Test("An option that libzmq does not accept is named")
    func badOption() throws {
        let context = try Context()
        var options = SocketOptions()
        options.sendHighWaterMark = -1
        #expect { try Socket(.pub, context: context, options: options).kind } throws: { error in
            (error as? ZeroMQError)?.operation == "ZMQ_SNDHWM"
        }
        options = SocketOptions()
        options.linger = .seconds(-1)
        #expect { try Socket(.pub, context: context, options: options).kind } throws: { error in
            (error as? ZeroMQError)?.operation == "ZMQ_LINGER"
        }
    }

    @Test("Every kind of socket takes both presets", arguments: Socket.Kind.allCases)
    func presets(kind: Socket.Kind) throws {
        let context = try Context()
        #expect(try Socket(kind, context: context, options: .service).kind == kind)
        #expect(try Socket(kind, context: context, options: .client).kind == kind)
    }

    @Test("The context's limit of sockets is an error")
    func limit() throws {
        let context = try Context(maxSockets: 1)
        let first = try Socket(.pub, context: context)
        #expect { try Socket(.pub, context: context).kind } throws: { ($0 as? ZeroMQError)?.code == .tooManySockets }
        #expect(first.kind == .pub)
        #expect { try Context(ioThreads: -1) } throws: { ($0 as? ZeroMQError)?.code == .invalidArgument }
    }

    @Test("An oversized frame disconnects its sender only")
    func maxMessageSize() async throws {
        let context = try Context()
        try await withLoop { loop in
            var options = SocketOptions.service
            options.maxMessageSize = 1000
            let service = Peer(loop)
            try await service.open(.router, context, options, monitored: true, handler: Peer.echo)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            let good = Peer(loop)
            try await good.open(.dealer, context)
            try await good.connect(endpoint)
            try await good.send([[UInt8](repeating: 1, count: 1000)])
            #expect(try await good.next()[0].count == 1000)
            let bad = Peer(loop)
            try await bad.open(.dealer, context, monitored: true)
            try await bad.connect(endpoint)
            try await bad.send([[UInt8](repeating: 1, count: 1001)])
            await bad.disconnected()
            try await good.send([[2]])
            #expect(try await good.next() == [[2]])
        }
    }

    @Test("A new subscriber is reported and greeted")
    func subscription() async throws {
        let context = try Context()
        try await withLoop { loop in
            let publisher = Peer(loop)
            var options = SocketOptions.service
            options.welcomeMessage = [UInt8]("hello".utf8)
            try await publisher.open(.xpub, context, options)
            let endpoint = try await publisher.bind(Transport.tcp.endpoint())
            // Both stay, so that the second one's subscription is not the first of its kind.
            let subscribers = [Peer(loop), Peer(loop)]
            for subscriber in subscribers {
                try await subscriber.open(.sub, context, .client)
                try await subscriber.subscribe([UInt8]("hel".utf8))
                try await subscriber.connect(endpoint)
                #expect(try await publisher.next() == [[1] + [UInt8]("hel".utf8)])
                #expect(try await subscriber.next() == [[UInt8]("hello".utf8)])
            }
        }
    }
}
