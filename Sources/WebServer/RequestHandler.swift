// SPDX-License-Identifier: Apache-2.0

import DequeModule
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOHTTPTypes

/// Answers the requests of a connection one after the other.
///
/// Each request has a task on the connection's event loop, so that neither the request nor its answer changes threads.
/// A task keeps the memory of its deepest call until it ends. So a body that is written piece by piece gets another
/// task, and a connection without a request has none.
///
/// `@unchecked Sendable`: everything happens on the event loop, where the tasks run, too. A call from elsewhere traps.
final class RequestHandler: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart
    typealias Respond = @Sendable (Request, any Channel) async -> Response

    /// The number of parts that may wait before the service reads no more from the socket.
    private static let mostParts = 8

    /// Whether requests may follow: yes; no, because the present one is the last; no, because the client sends nothing
    /// more.
    private enum Further { case any, last, over }

    private let respond: Respond
    private let executor: LoopExecutor
    /// Nil once nothing more can be answered.
    private var context: ChannelHandlerContext?
    /// The parts that nobody has taken yet.
    private var parts: Deque<HTTPRequestPart> = []
    /// The task that answers a request, or writes the body; nil between two requests.
    private(set) var task: Task<Void, Never>?
    /// Waits for the next part of the body.
    private var reader: CheckedContinuation<Void, Never>?
    /// Waits until the client has read.
    private var writer: CheckedContinuation<Void, Never>?
    /// Whether the end of the present request was not taken yet.
    private var isBodyOpen = false
    /// Whether a read waits until parts are taken.
    private var isHeld = false
    private var further = Further.any
    /// The writing of the latest answer's end.
    private var written: EventLoopFuture<Void>?
    private var failure: (any Error)?

    init(on executor: LoopExecutor, _ respond: @escaping Respond) {
        (self.executor, self.respond) = (executor, respond)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func read(context: ChannelHandlerContext) {
        if parts.count < Self.mostParts { context.read() } else { isHeld = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { parts.append(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {
        advance()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { further = .over }
        if event is ChannelShouldQuiesceEvent, further == .any { further = .last }
        advance()
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error
        advance()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { resume(&writer) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        resume(&reader)
        resume(&writer)
        context.fireChannelInactive()
    }

    private func resume(_ waiting: inout CheckedContinuation<Void, Never>?) {
        waiting?.resume()
        waiting = nil
    }

    /// Begins to answer the next request, unless one is being answered. Closes the connection after the last one.
    private func advance() {
        resume(&reader)
        while task == nil, let part = takePart() {
            // Other parts belong to a body that nobody needed.
            if case .head(let head) = part { begin(head) }
        }
        guard task == nil, let context, failure != nil || further != .any else { return }
        self.context = nil
        guard failure is HTTPParserError, !isBodyOpen else {
            // Closing drops what the client has not read yet.
            let (channel, written) = (context.channel, written ?? context.eventLoop.makeSucceededVoidFuture())
            return written.whenComplete { _ in channel.close(promise: nil) }
        }
        // `ConnectionHandler` closes the connection after this answer.
        let head = HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func takePart() -> HTTPRequestPart? {
        let part = parts.popFirst()
        if case .end = part { isBodyOpen = false }
        if isHeld, parts.isEmpty {
            // The memory of many parts that came at once is not kept.
            (isHeld, parts) = (false, [])
            context?.read()
        }
        return part
    }

    private func begin(_ head: HTTPRequest) {
        guard let channel = context?.channel else { return }
        isBodyOpen = true
        var body = RequestBody(buffer: ByteBuffer())
        if case .end = parts.first {
            _ = takePart()
        } else {
            body = RequestBody(asyncSequence: Body(requests: self, awaitsWord: head.headerFields.awaitsWord))
        }
        let request = Request(head: head, body: body)
        task = Task(executorPreference: executor) { [self] in
            var response = await respond(request, channel)
            if further == .last || further == .over && !hasRequest || request.headers[.connection] == "close" {
                response.headers[.connection] = "close"
            }
            let isClosing = response.headers[.connection] == "close"
            let body = request.method == .head ? ResponseBody() : response.body
            let isWhole = body.contentLength != nil
            do { try await send(.head(response.head), isFlushed: !isWhole) } catch { return end() }
            guard !isWhole else { return await write(body, isClosing) }
            if parts.isEmpty { parts = [] }
            task = Task(executorPreference: executor) { [self] in await write(body, isClosing) }
        }
    }

    /// Whether another request has been received.
    private var hasRequest: Bool {
        parts.contains { part in if case .head = part { true } else { false } }
    }

    /// - Parameter isClosing: whether `ConnectionHandler` closes the connection after the answer.
    private func write(_ body: ResponseBody, _ isClosing: Bool) async {
        do {
            try await body.write(BodyWriter(requests: self, isWhole: body.contentLength != nil))
            if isClosing { context = nil }
        } catch {
            // Without its end the client knows that the body is not complete.
            context?.close(promise: nil)
            context = nil
        }
        end()
    }

    private func end() {
        task = nil
        advance()
    }

    /// - Parameter isFlushed: whether to send everything now, and to wait while the client does not read.
    fileprivate func send(_ part: HTTPResponsePart, isFlushed: Bool = true) async throws {
        executor.loop.preconditionInEventLoop()
        guard isFlushed else { return context?.write(wrapOutboundOut(part), promise: nil) ?? () }
        var promise: EventLoopPromise<Void>?
        if case .end = part { promise = executor.loop.makePromise() }
        written = promise?.futureResult
        if let context { context.writeAndFlush(wrapOutboundOut(part), promise: promise) } else { promise?.succeed() }
        while context?.channel.isWritable == false { await withCheckedContinuation { writer = $0 } }
        guard context != nil else { throw ChannelError.ioOnClosedChannel }
    }

    /// Returns the next piece of the present request's body; nil at its end.
    fileprivate func piece() async throws -> ByteBuffer? {
        executor.loop.preconditionInEventLoop()
        while isBodyOpen {
            if let part = takePart() {
                if case .body(let bytes) = part { return bytes }
            } else {
                if let failure { throw failure }
                guard context != nil, further != .over else { throw ChannelError.inputClosed }
                await withCheckedContinuation { reader = $0 }
            }
        }
        return nil
    }
}

private struct Body: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let requests: RequestHandler
    /// Whether the client waits for a 100 (Continue), which the first read sends. A request that is refused before
    /// anybody reads its body gets none.
    var awaitsWord: Bool

    mutating func next() async throws -> ByteBuffer? {
        if awaitsWord { try await requests.send(.head(HTTPResponse(status: .continue))) }
        awaitsWord = false
        return try await requests.piece()
    }

    func makeAsyncIterator() -> Body { self }
}

extension HTTPFields {
    /// Whether the client waits for a 100 (Continue) before it sends its body (RFC 9110, 10.1.1).
    package var awaitsWord: Bool { self[.expect]?.lowercased() == "100-continue" }
}

private struct BodyWriter: ResponseBodyWriter {
    let requests: RequestHandler
    /// Whether the body is sent together with its head and its end.
    let isWhole: Bool

    func write(_ buffer: ByteBuffer) async throws { try await requests.send(.body(buffer), isFlushed: !isWhole) }

    consuming func finish(_ trailers: HTTPFields?) async throws { try await requests.send(.end(trailers)) }
}
