// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Handles messages while they still have NIO's types for HTTP/1. The later types are common to all versions: they do
/// not contain the client's version, and cannot represent bytes that are no request. This handler answers an HTTP/1.0
/// client in a form that it can read, and answers such bytes with an error in one sentence.
final class HTTPVersionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: HTTPLimits
    /// Whether an HTTP/1.0 request has arrived. The connection is closed after its answer.
    private var isOld = false
    private var isUnreadable = false

    init(_ limits: HTTPLimits) { self.limits = limits }

    private var unreadable: ByteBuffer {
        let detail =
            "The request cannot be read as HTTP/1.1: percent-encode what is not ASCII in its address, and keep its head "
            + "below \(limits.headerBytes) bytes."
        return ByteBuffer(
            string:
                #"{"type":"about:blank","title":"Bad Request","status":400,"code":"bad_request","detail":"\#(detail)"}"#
                + "\n")
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if (head.version.major, head.version.minor) < (1, 1) {
            isOld = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // RFC 9110, 10.1.1: an HTTP/1.0 client could not read the 100 that its header asks for.
            head.headers.remove(name: "Expect")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { isUnreadable = true }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if isOld {
                head.version = .http1_0
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            if isUnreadable, head.status == .badRequest, head.headers["Content-Length"] == ["0"] {
                let unreadable = unreadable
                head.headers.replaceOrAdd(name: "Content-Length", value: "\(unreadable.readableBytes)")
                head.headers.replaceOrAdd(name: "Content-Type", value: "application/problem+json")
                head.headers.replaceOrAdd(name: "X-Content-Type-Options", value: "nosniff")
                context.write(wrapOutboundOut(.head(head)), promise: promise)
                return context.write(wrapOutboundOut(.body(.byteBuffer(unreadable))), promise: nil)
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body, .end: context.write(data, promise: promise)
        }
    }
}
