// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Closes three kinds of connection: one whose request is not complete in time, one whose client does not read for some
/// time, and one after an answer with `Connection: close`. Tells `ConnectionPlaces` when the service waits for a
/// client.
///
/// The limit for idle connections starts again with each request. Without the other limits, a client that sends a byte
/// now and then would keep one of the few connections for ever. A client that does not read would keep its connection,
/// too, together with the bytes that wait to be written.
///
/// Sends a 100 (Continue) only if the client still waits for it. If such a client is refused, its connection is closed
/// after the answer, because nobody could tell whether the body or the next request follows.
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
    /// The number of requests that have begun and were not answered yet.
    private var unanswered = 0
    /// Whether the head of a request is expected. True from the opening of the connection.
    private var awaitsHead = true
    private var awaitsEnd = false
    /// Whether the client of the last request waits for a 100 (Continue) before it sends the body.
    private var awaitsWord = false
    private var isLast = false

    /// - Parameter stalled: called before a connection is closed because its client does not read.
    init(_ limits: HTTPLimits, _ places: ConnectionPlaces, stalled: @escaping @Sendable () -> Void) {
        (self.limits, self.places, self.stalled) = (limits, places, stalled)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bytes = FirstByte { [weak self] context in self?.received(context) }
        // Adding the handler fails only if the connection is already closed; then the handler is not needed.
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
        // Few bytes wait for a client that does not read, because there may be ten thousand of them.
        try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 4_096, high: 16_384))
        // Each connection keeps its buffer for reading, which grows with a large request.
        try? context.channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 65_536))
        close(context, in: limits.head)
    }

    /// Receives bytes, which may be the beginning of a head.
    private func received(_ context: ChannelHandlerContext) {
        guard !awaitsHead, !awaitsEnd else { return }
        awaitsHead = true
        // While an answer is written, the service may not read the next request, so its head has no time limit.
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
        // An answer to an earlier request does not end the client's wait before the body of the last request.
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

    /// Limits the time for which a client does not read.
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

/// Notices incoming bytes before the decoder makes a request from them.
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
