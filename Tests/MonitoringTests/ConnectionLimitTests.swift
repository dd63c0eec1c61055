// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestTurns
import Testing

@testable import WebServer

/// The time limits of a connection, on a loop whose clock the test moves. A limit of zero is over at once.
@Suite("Time limits of a connection", .inShortTurn)
struct ConnectionLimitTests {
    /// A client that reads nothing: what is written to it never arrives.
    private final class Deaf: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        private var kept: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if let promise { kept.append(promise) }
        }

        func flush(context: ChannelHandlerContext) {}

        func handlerRemoved(context: ChannelHandlerContext) { for one in kept { one.fail(ChannelError.eof) } }
    }

    /// A connection on which every limit is an hour, but those that `change` sets.
    private func connection(_ change: (inout HTTPLimits) -> Void) throws -> EmbeddedChannel {
        var limits = HTTPLimits(connections: 64)
        (limits.idle, limits.head, limits.request, limits.unread) = (.hours(1), .hours(1), .hours(1), .hours(1))
        change(&limits)
        let handler = ConnectionHandler(limits, ConnectionPlaces(limits), stalled: {})
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(Deaf(), handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func ask(_ channel: EmbeddedChannel, isWhole: Bool = true) throws {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(head))
        if isWhole { try end(channel) }
    }

    private func end(_ channel: EmbeddedChannel) throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

    private func answer(_ channel: EmbeddedChannel, _ fields: HTTPFields = [:]) {
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    }

    /// Whether the connection is closed once the limits of zero are over.
    private func isClosed(_ channel: EmbeddedChannel) -> Bool {
        channel.embeddedEventLoop.advanceTime(to: .now() + .seconds(1))
        return !channel.isActive
    }

    @Test("a last answer that nobody reads has a limit, also behind it another request")
    func last() throws {
        let channel = try connection { $0.unread = .zero }
        try ask(channel)
        try ask(channel)
        #expect(!isClosed(channel))
        answer(channel, [.connection: "close"])
        try ask(channel)
        #expect(isClosed(channel))
    }

    @Test("an answer before the end of its request takes the limit of the request from nobody, and begins none")
    func early() throws {
        let slow = try connection { $0.request = .zero }
        try ask(slow, isWhole: false)
        answer(slow)
        #expect(isClosed(slow))
        let idle = try connection { $0.idle = .zero }
        try ask(idle, isWhole: false)
        answer(idle)
        #expect(!isClosed(idle))
        try end(idle)
        #expect(isClosed(idle))
    }

    @Test("a request behind another one has its limit from the answer to that one")
    func behind() throws {
        let channel = try connection { $0.request = .zero }
        try ask(channel, isWhole: false)
        try end(channel)
        try ask(channel, isWhole: false)
        #expect(!isClosed(channel))
        answer(channel)
        #expect(isClosed(channel))
    }
}
