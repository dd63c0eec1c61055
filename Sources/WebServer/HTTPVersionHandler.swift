// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Converts messages between NIO's types for HTTP/1 and the types that are common to all versions. The common types do
/// not contain the client's version, and cannot represent bytes that are no request. This handler answers an HTTP/1.0
/// client in a form that it can read, and answers such bytes with an error in one sentence.
final class HTTPVersionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
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
        switch unwrapInboundIn(data) {
        case .head(var head):
            if (head.version.major, head.version.minor) < (1, 1) {
                isOld = true
                head.headers.replaceOrAdd(name: "Connection", value: "close")
                // RFC 9110, 10.1.1: an HTTP/1.0 client could not read the 100 that its header asks for.
                head.headers.remove(name: "Expect")
            }
            do { context.fireChannelRead(wrapInboundOut(.head(try Self.request(head)))) } catch {
                context.fireErrorCaught(error)
            }
        case .body(let bytes): context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .end(let trailers):
            context.fireChannelRead(wrapInboundOut(.end(trailers.map { HTTPFields($0, splitCookie: false) })))
        }
    }

    private static func request(_ head: HTTPRequestHead) throws -> HTTPRequest {
        // Foundation would look for a scheme in front of the path, although a path has none.
        guard head.uri.utf8.first == UInt8(ascii: "/") else {
            return try HTTPRequest(head, secure: false, splitCookie: false)
        }
        return HTTPRequest(
            method: try HTTPRequest.Method(head.method), scheme: "http", authority: head.headers["Host"].first,
            path: head.uri, headerFields: HTTPFields(head.headers, splitCookie: false))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { isUnreadable = true }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let response):
            var head = HTTPResponseHead(response)
            if isOld {
                head.version = .http1_0
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            guard isUnreadable, head.status == .badRequest, head.headers["Content-Length"] == ["0"] else {
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
            let unreadable = unreadable
            head.headers.replaceOrAdd(name: "Content-Length", value: "\(unreadable.readableBytes)")
            head.headers.replaceOrAdd(name: "Content-Type", value: "application/problem+json")
            head.headers.replaceOrAdd(name: "X-Content-Type-Options", value: "nosniff")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            context.write(wrapOutboundOut(.body(.byteBuffer(unreadable))), promise: nil)
        case .body(let bytes): context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
        case .end(let trailers): context.write(wrapOutboundOut(.end(trailers.map(HTTPHeaders.init))), promise: promise)
        }
    }
}
