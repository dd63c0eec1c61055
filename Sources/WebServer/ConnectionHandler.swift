// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes four kinds of connection: one without a request for some time, one whose request is not complete in time, one
/// whose client does not read for some time, and one after an answer with `Connection: close`. Tells `ConnectionPlaces`
/// when the service waits for a client.
///
/// A request that has begun has its own limits, or a client that sends a byte now and then would keep one of the few
/// connections for ever. A client that does not read would keep its connection, too, together with the bytes that wait
/// to be written.
///
/// Sends a 100 (Continue) only if the client still waits for it. If such a client is refused, its connection is closed
/// after the answer, because nobody could tell whether the body or the next request follows.
final class ConnectionHandler: ChannelDuplexHandler {
    /// The part of a request that is expected next.
    private enum Expected { case head, end }

    /// The answer after which the connection is closed. Once it is complete, nothing more is expected of the client but
    /// that it reads.
    private enum LastAnswer { case none, begun, complete }

    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPLimits
    private let places: ConnectionPlaces
    private var place: Place?
    private let stalled: @Sendable () -> Void
    /// The time at which the connection is closed; nil while the client may take its time.
    private var deadline: NIODeadline?
    /// Looks at `deadline` from time to time. A timer for each request would cost more than the rest of this handler,
    /// because NIO searches all timers of an event loop to cancel one.
    private var timer: (due: NIODeadline, task: Scheduled<Void>)?
    private var writeDeadline: Scheduled<Void>?
    /// The number of requests that have begun and were not answered yet.
    private var unanswered = 0
    /// The head of a request is expected from the opening of the connection, and from its first byte.
    private var expected: Expected? = .head
    /// Whether a part of a request was read since the last bytes came.
    private var hasRead = false
    /// Whether the client of the last request waits for a 100 (Continue) before it sends the body.
    private var awaitsWord = false
    private var last = LastAnswer.none

    /// - Parameter stalled: called before a connection is closed because its client does not read.
    init(_ limits: HTTPLimits, _ places: ConnectionPlaces, stalled: @escaping @Sendable () -> Void) {
        (self.limits, self.places, self.stalled) = (limits, places, stalled)
    }

    func handlerAdded(context: ChannelHandlerContext) {
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
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 16_384))
        // At most one buffer is decoded before somebody looks whether parts wait to be taken.
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        close(context, in: limits.head)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasRead = true
        switch unwrapInboundIn(data) {
        case .head(let head):
            (expected, awaitsWord) = (.end, head.headerFields.awaitsWord)
            unanswered += 1
            // While an earlier answer is written, the service may not read the rest of this request.
            if unanswered == 1 { awaitEnd(context) }
        case .body: awaitsWord = false
        case .end:
            (expected, awaitsWord) = (nil, false)
            if last == .complete { break }
            // An answer may come before the end of its request.
            guard unanswered > 0 else {
                close(context, in: limits.idle)
                break
            }
            deadline = nil
            place?.works()
        }
        context.fireChannelRead(data)
    }

    /// Notices bytes of which the decoder has made no part of a request: they begin a head.
    func channelReadComplete(context: ChannelHandlerContext) {
        if expected == nil, !hasRead {
            expected = .head
            // While an answer is written, the service may not read the next request, so its head has no time limit.
            if unanswered == 0, last != .complete { close(context, in: limits.head) }
        }
        hasRead = false
        context.fireChannelReadComplete()
    }

    /// Limits the time until the end of the first request that is not answered.
    private func awaitEnd(_ context: ChannelHandlerContext) {
        guard last != .complete else { return }
        place?.waits()
        close(context, in: limits.request)
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
            if last != .complete { last = head.headerFields[.connection] == "close" ? .begun : .none }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            unanswered = max(0, unanswered - 1)
            if unanswered == 1, expected == .end { awaitEnd(context) }
            if unanswered == 0 { place?.waits() }
            // The limit of a request whose end has not come yet stays.
            if unanswered == 0, expected != .end { close(context, in: expected == .head ? limits.head : limits.idle) }
            guard last != .none else { break }
            // The client may never read this, and too little may wait to be written for `writeDeadline`.
            last = .complete
            place?.waits()
            close(context, in: limits.unread)
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
        if unanswered > 0, expected != .end {
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
        timer?.task.cancel()
        writeDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        let due = NIODeadline.now() + time
        deadline = due
        if let timer {
            guard due < timer.due else { return }
            timer.task.cancel()
        }
        look(context, at: due)
    }

    private func look(_ context: ChannelHandlerContext, at due: NIODeadline) {
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [self] in
            timer = nil
            guard let deadline else { return }
            if deadline <= .now() { context.close(promise: nil) } else { look(context, at: deadline) }
        }
        timer = (due, task)
    }
}
