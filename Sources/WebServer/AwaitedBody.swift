// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

extension HTTPFields {
    /// Whether the client waits for word before it sends its body (RFC 9110, 10.1.1).
    package var awaitsWord: Bool { self[.expect]?.lowercased() == "100-continue" }
}

/// A body that its client sends as soon as it is told to. It is told when somebody begins to read the body, so a request
/// that is refused before that is answered without it.
struct AwaitedBody: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: RequestBody.AsyncIterator
        /// Nil once the client has been told.
        fileprivate var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            // Without a promise: where the connection is gone reading says so.
            channel?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
            channel = nil
            return try await parts.next()
        }
    }

    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: body.makeAsyncIterator(), channel: channel) }
}

/// Lets the word to go on through to a client that still waits for it. The connection of a client that is refused while
/// it waits ends with the answer: nobody could tell whether the body follows or the next request.
final class AwaitedBodyHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many requests have begun and are not answered.
    private var unanswered = 0
    /// Whether the client waits before the body of the last one.
    private var waits = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            waits = head.headerFields.awaitsWord
        case .body, .end: waits = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The answer to an earlier request says nothing to the one that waits.
        let isAwaited = waits && unanswered == 1
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind == .informational:
            guard isAwaited else {
                promise?.succeed()
                return
            }
            waits = false
        case .head(var head) where isAwaited:
            head.headerFields[.connection] = "close"
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: break
        case .end: unanswered = max(0, unanswered - 1)
        }
        context.write(data, promise: promise)
    }
}
