// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Closes a connection whose request is not complete in time, one whose client does not read for some time, and one whose
/// answer says that it closes. Tells the connection's place when the service waits for the client.
///
/// The limit for silence starts again with each request, so a client that sends a byte now and then would keep one of the
/// few connections for ever; so would one that does not read, and what waits to be written with it.
///
/// Lets the word to go on through to a client that still waits for it before its body. The connection of a client that is
/// refused while it waits ends with the answer: nobody could tell whether the body follows or the next request.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPLimits
    private let places: ConnectionPlaces
    private var place: Place?
    private let stalled: @Sendable () -> Void
    private var deadline: Scheduled<Void>?
    private var writeDeadline: Scheduled<Void>?
    /// How many requests have begun and are not answered.
    private var unanswered = 0
    /// Whether a request's head has to be completed; true for the first one from the beginning.
    private var awaitsHead = true
    private var awaitsEnd = false
    /// Whether the client of the last one waits before its body.
    private var awaitsWord = false
    private var isLast = false

    /// - Parameter stalled: called before a connection is closed whose client does not read.
    init(_ limits: HTTPLimits, _ places: ConnectionPlaces, stalled: @escaping @Sendable () -> Void) {
        (self.limits, self.places, self.stalled) = (limits, places, stalled)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bytes = FirstByte { [weak self] context in self?.received(context) }
        // It fails for a connection that is closed already, which needs none.
        try? context.pipeline.syncOperations.addHandler(bytes, position: .first)
        if let codec = try? context.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self).handler {
            try? context.pipeline.syncOperations.addHandler(HTTPVersionHandler(limits), position: .before(codec))
        }
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard place == nil else { return }
        place = places.admit(context.channel)
        close(context, in: limits.head)
    }

    /// Bytes have come, which may be the first ones of a head.
    private func received(_ context: ChannelHandlerContext) {
        guard !awaitsHead, !awaitsEnd else { return }
        awaitsHead = true
        // While an answer is written the next request may have to wait for the service to read it.
        if unanswered == 0 { close(context, in: limits.head) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            (awaitsHead, awaitsEnd, awaitsWord) = (false, true, head.headerFields.awaitsWord)
            unanswered += 1
            place?.waits()
            close(context, in: limits.request)
        case .body: awaitsWord = false
        case .end:
            (awaitsEnd, awaitsWord) = (false, false)
            deadline?.cancel()
            if unanswered > 0 { place?.works() }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The answer to an earlier request says nothing to the one that waits.
        let isAwaited = awaitsWord && unanswered == 1
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind == .informational:
            guard isAwaited else {
                promise?.succeed()
                return
            }
            awaitsWord = false
        case .head(var head):
            if isAwaited { head.headerFields[.connection] = "close" }
            isLast = head.headerFields[.connection] == "close"
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            unanswered = max(0, unanswered - 1)
            if unanswered == 0 {
                place?.waits()
                if awaitsHead { close(context, in: limits.head) }
            }
            guard isLast else { break }
            let (channel, written) = (context.channel, promise ?? context.eventLoop.makePromise())
            written.futureResult.whenComplete { _ in channel.close(promise: nil) }
            return context.writeAndFlush(data, promise: written)
        }
        context.write(data, promise: promise)
    }

    /// A client that does not read is waited for as well.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeDeadline?.cancel()
        let channel = context.channel
        if unanswered > 0, !awaitsEnd {
            if channel.isWritable { place?.works() } else { place?.waits() }
        }
        if !channel.isWritable {
            writeDeadline = context.eventLoop.scheduleTask(in: limits.unread) { [stalled] in
                stalled()
                channel.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        writeDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        let channel = context.channel
        deadline?.cancel()
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}

/// Sees the bytes before they are a request.
private final class FirstByte: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let received: (ChannelHandlerContext) -> Void

    init(_ received: @escaping (ChannelHandlerContext) -> Void) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received(context)
        context.fireChannelRead(data)
    }
}
