// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Handles messages while they still have NIO's HTTP/1 types. The types that all versions share do not say which
/// version a client speaks, and have no place for bytes that are no request. Here a client of HTTP/1.0 gets an answer
/// that it can read, and such bytes get an error with a sentence.
final class HTTPVersionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let unreadable: ByteBuffer
    /// Whether a request of HTTP/1.0 has come. The connection ends with its answer.
    private var isOld = false
    private var isUnreadable = false

    init(_ limits: HTTPLimits) {
        let detail =
            "The request cannot be read as HTTP/1.1: percent-encode what is not ASCII in its address, and keep its head "
            + "below \(limits.headerBytes) bytes."
        unreadable = ByteBuffer(
            string:
                #"{"type":"about:blank","title":"Bad Request","status":400,"code":"bad_request","detail":"\#(detail)"}"#
                + "\n")
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if (head.version.major, head.version.minor) < (1, 1) {
            isOld = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // RFC 9110, 10.1.1: a client of HTTP/1.0 could not read the 100 that it seems to wait for.
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
