// SPDX-License-Identifier: Apache-2.0

import NIOCore
public import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that answers each request with the bytes that a test wants to be seen.
public final class TestServer: Sendable {
    /// The answer to a request, and what to do after it.
    public struct Reply: Sendable {
        public var bytes: String
        public var then: After

        public init(bytes: String, then: After = .keepOpen) {
            self.bytes = bytes
            self.then = then
        }

        public enum After: Sendable {
            case keepOpen
            case close
            /// Send this text over and over, until the client hangs up. Give it some size, because the loop does
            /// nothing else before the socket is full.
            case repeating(String)
        }
    }

    public let port: Int
    private let channel: any Channel
    private let seen: Requests

    /// - Parameter respond: gets the request and how many came before it.
    public init(
        host: String = "127.0.0.1", _ respond: @escaping @Sendable (HTTPRequestHead, Int) -> Reply
    ) async throws {
        let seen = Requests()
        self.seen = seen
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                seen.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    let sync = channel.pipeline.syncOperations
                    try sync.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try sync.addHandler(Responder(seen: seen, respond: respond))
                }
            }
            .bind(host: host, port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Answers every request with that status line, those headers and that body.
    public static func answering(_ status: String, _ headers: [String] = [], _ body: String = "") async throws
        -> TestServer
    {
        try await TestServer { _, _ in .message(status, headers, body) }
    }

    public var url: String { "http://127.0.0.1:\(port)/data.json" }

    /// The requests so far.
    public var requests: [HTTPRequestHead] { seen.all }
    /// Their bodies.
    public var bodies: [String] { seen.bodies }

    /// Returns when the client has closed every connection.
    public func hungUp() async throws {
        for connection in seen.connections { try await connection.closeFuture.get() }
    }

    public func stop() async {
        try? await channel.close()
        // The client keeps idle connections, and the next server may be given the same port.
        for connection in seen.connections { try? await connection.close() }
    }

    /// Runs `body` with a server that is stopped afterwards.
    public static func with(
        _ respond: @escaping @Sendable (HTTPRequestHead, Int) -> Reply, _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer(respond)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

extension TestServer.Reply {
    /// A whole answer with its length.
    public static func message(_ status: String, _ headers: [String] = [], _ body: String = "") -> Self {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
        return Self(bytes: lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}

private final class Requests: Sendable {
    private let heads = Mutex<[(head: HTTPRequestHead, body: String)]>([])
    private let channels = Mutex<[any Channel]>([])

    var all: [HTTPRequestHead] { heads.withLock { $0.map(\.head) } }
    var bodies: [String] { heads.withLock { $0.map(\.body) } }
    var connections: [any Channel] { channels.withLock { $0 } }

    func add(_ channel: any Channel) { channels.withLock { $0.append(channel) } }

    /// Adds a request, and returns how many came before it.
    func add(_ head: HTTPRequestHead, _ body: String) -> Int {
        heads.withLock { heads in
            heads.append((head, body))
            return heads.count - 1
        }
    }
}

private final class Responder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let seen: Requests
    private let respond: @Sendable (HTTPRequestHead, Int) -> TestServer.Reply
    private var head: HTTPRequestHead?
    private var body = ""

    init(seen: Requests, respond: @escaping @Sendable (HTTPRequestHead, Int) -> TestServer.Reply) {
        self.seen = seen
        self.respond = respond
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, "")
        case .body(let part): body += String(buffer: part)
        case .end:
            guard let head else { return }
            let reply = respond(head, seen.add(head, body))
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply.bytes)), promise: nil)
            switch reply.then {
            case .keepOpen: break
            case .close: context.close(promise: nil)
            case .repeating(let bytes): Self.send(ByteBuffer(string: bytes), on: context.channel)
            }
        }
    }

    /// Writes one part after the other: a client that does not read stops the writing.
    private static func send(_ buffer: ByteBuffer, on channel: any Channel) {
        channel.writeAndFlush(buffer).whenSuccess {
            // A write may be done at once: without a step in between the stack would grow with the body.
            channel.eventLoop.execute { send(buffer, on: channel) }
        }
    }
}
