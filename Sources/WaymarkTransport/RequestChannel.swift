// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The client's end of requests: a DEALER socket, and the requests that wait for an answer.
///
/// It lives on the loop of the actor that owns it. A request without an answer is sent again under the same key, after a
/// pause and at every new connection, until its time is over; the service recognises the key. See `Protocol.md`, parts
/// Retries and Timers and sockets.
///
/// A service may have several endpoints. The channel is connected to one of them at a time, so that nothing is ever
/// answered from two at once: one socket with several peers would deal requests out among them. When the present one does
/// not serve, its socket is closed, with what it may still send, and the next one takes its place; then what waits is sent
/// again, as after any other interruption. ``EndpointTurns`` has the rule.
public final class RequestChannel {
    /// What is sent, and what is called when the request ends.
    struct Question {
        let header: RequestHeader
        let body: [UInt8]
        let version: UInt8
        let completion: (ChannelOutcome) -> Void
    }

    private static let tick = Duration.milliseconds(50)

    /// Nil when the channel is closed, and between two endpoints.
    var socket: Socket?
    let loop: EventLoop
    let context: Context
    var watch: SocketWatch?
    var monitor: SocketMonitor?
    private var timer: LoopTimer?
    private(set) var isClosed = false
    /// The latest message received. Reused so that its capacity is kept.
    var incoming = Message()
    let outbox = Outbox<RequestSchedule<Question>.Entry>()
    /// The latest encoded header. Reused so that its capacity is kept.
    var header = WireWriter()
    var schedule = RequestSchedule<Question>()
    var reach = ConnectionReach()
    /// Why the endpoint before the present one was left.
    var failureBefore: ConnectionFailure?
    let endsWhenRefused: Bool
    let onConnection: (Bool) -> Void
    let around: (() -> Void) -> Void
    let security: (String) -> SocketSecurity?

    /// All endpoints of the service.
    public let endpoints: [String]
    var turns: EndpointTurns
    var turnTimer: LoopTimer?
    var greeter: Greeter
    let accepts: (WireWelcome) -> Bool
    /// Requests that the present endpoint refused as not serving, with the refusals. Whether these are handed on is
    /// decided by the answer to the next greeting.
    var setAside: [RequestKey: (header: ReplyHeader, body: [UInt8])] = [:]

    /// The protocol versions that this end speaks.
    public let versions: ClosedRange<UInt8>
    /// The version in use: the lowest until the answer to a `hello` names the highest one that both ends speak.
    public private(set) var version: UInt8
    /// Whether a handshake with the service has succeeded and the connection has not ended since. With several endpoints
    /// the service must also have answered a greeting.
    public var isConnected: Bool { turns.isNeeded ? turns.isServing : reach.isConnected }
    /// Whether the port was open at the latest attempt to connect.
    public var isOpen: Bool { reach.isOpen }
    /// Why there is no connection; nil if that is not known.
    public var lastFailure: ConnectionFailure? {
        let failure = reach.failure ?? failureBefore
        return failure == .unreachable ? ConnectionFailure(ofSocketAt: endpoint) ?? failure : failure
    }
    /// The place in ``endpoints`` of the one in use.
    public var place: Int { turns.current }
    /// The endpoint in use.
    public var endpoint: String { endpoints[turns.current] }
    /// When the latest answer arrived, in monotonic milliseconds; 0 if none has.
    public internal(set) var lastAnswer: UInt64 = 0
    /// Answers that could not be read, or to which no request waited any more.
    public internal(set) var strayAnswers: UInt64 = 0
    /// Copies of requests that were encoded.
    var encodings: UInt64 = 0

    /// - Parameters:
    ///   - endpoints: where the service is, in the order in which they are tried; at least one.
    ///   - security: how this end proves who it is at an endpoint; nil: not at all, and nothing is encrypted.
    ///   - endsWhenRefused: whether a failed attempt to connect to each endpoint ends all waiting requests with
    ///     ``ChannelOutcome/notConnected``, unless there was a connection before. Otherwise they wait until their time
    ///     is over.
    ///   - accepts: whether what answers a greeting at one of several endpoints may be used. Called on the loop.
    ///   - around: called on the loop with a closure that receives the waiting answers; it must call that closure. An
    ///     owner that forwards answers can gather them meanwhile.
    ///   - onConnection: called on the loop when the connection begins (true) and ends (false).
    /// - Throws: `ZeroMQError` if the first endpoint is malformed.
    public init(
        loop: EventLoop, context: Context, endpoints: [String],
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions,
        security: @escaping (String) -> SocketSecurity? = { _ in nil }, endsWhenRefused: Bool = false,
        accepts: @escaping (WireWelcome) -> Bool = { _ in true },
        around: @escaping (() -> Void) -> Void = { $0() }, onConnection: @escaping (Bool) -> Void = { _ in }
    ) throws(ZeroMQError) {
        (self.loop, self.context, self.security) = (loop, context, security)
        (self.versions, version) = (versions, versions.lowerBound)
        (self.endsWhenRefused, self.accepts, self.around) = (endsWhenRefused, accepts, around)
        self.onConnection = onConnection
        // An empty endpoint is malformed, which libzmq says below.
        self.endpoints = endpoints.isEmpty ? [""] : endpoints
        turns = EndpointTurns(count: self.endpoints.count, now: Monotonic.milliseconds)
        greeter = Greeter(versions)
        try open()
        guard turns.isNeeded else { return }
        turnTimer = loop.schedule(every: EndpointTurns.tick) { [weak self] in self?.takeTurns() }
    }

    /// A channel to a service with one endpoint.
    public convenience init(
        loop: EventLoop, context: Context, endpoint: String, security: SocketSecurity? = nil
    ) throws(ZeroMQError) {
        try self.init(loop: loop, context: context, endpoints: [endpoint], security: { _ in security })
    }

    /// Ends all waiting requests with ``ChannelOutcome/closed(copies:)``, and closes the socket.
    public func close() {
        isClosed = true
        timer?.cancel()
        turnTimer?.cancel()
        (timer, turnTimer) = (nil, nil)
        closeSocket()
        for entry in schedule.endAll() { entry.request.completion(.closed(copies: entry.copies)) }
    }

    /// Uses the protocol version that the service has chosen.
    ///
    /// - Throws: an error if this end did not offer that version.
    public func speak(_ chosen: UInt32) throws(ServiceError) {
        guard let chosen = UInt8(exactly: chosen), versions.contains(chosen) else {
            throw ServiceError(
                .protocolVersion,
                "The service chose protocol version \(chosen), which was not offered to it: bring both to the same "
                    + "release.")
        }
        version = chosen
    }

    /// Sends a request, or the same one again.
    ///
    /// - Parameters:
    ///   - header: its times are set here, for each copy.
    ///   - version: the protocol version to send it in; nil for ``version``. A `hello` is sent in the lowest one, and a
    ///     forwarded request in the version in which it arrived.
    ///   - milliseconds: how long to wait for the answer, including repeated sends.
    ///   - completion: called on the loop, exactly once. If the same key is submitted again meanwhile, only the later
    ///     completion is called.
    /// - Returns: whether no request with this key was waiting.
    @discardableResult
    public func submit(
        _ header: RequestHeader, body: [UInt8], version: UInt8? = nil, milliseconds: UInt64,
        completion: @escaping (ChannelOutcome) -> Void
    ) -> Bool {
        guard !isClosed else {
            completion(.closed(copies: 0))
            return true
        }
        // A service ends the connection at a larger frame, and each copy would end the next one.
        guard body.count <= WaymarkProtocol.messageBytes else {
            completion(.tooLarge)
            return true
        }
        guard !isHopeless else {
            completion(.notConnected)
            return true
        }
        let question = Question(
            header: header, body: body, version: version ?? self.version, completion: completion)
        let now = Monotonic.milliseconds
        let addition = schedule.add(header.key, question, bytes: body.count, deadline: now + milliseconds)
        if addition == .tooMany {
            completion(.tooMany)
            return true
        }
        if outbox.isDue(schedule.dueCount) { flush() }
        sweepSoon()
        return addition == .added
    }

    /// Sends the requests that are submitted within `body` together, and all of them before this returns.
    public func together(_ body: () -> Void) {
        outbox.together(body, flush: flush)
    }

    /// Sets the timer for the next sweep. It runs only while requests wait, so that an idle process sleeps.
    private func sweepSoon() {
        guard timer == nil else { return }
        timer = loop.schedule(after: Self.tick) { [weak self] in self?.sweep() }
    }

    /// The waiting request with this key.
    public func waiting(_ key: RequestKey) -> (header: RequestHeader, body: [UInt8])? {
        schedule[key].map { ($0.request.header, $0.request.body) }
    }

    /// Ends a waiting request with ``ChannelOutcome/cancelled(copies:)``.
    public func cancel(_ key: RequestKey) {
        guard let entry = schedule.end(key) else { return }
        entry.request.completion(.cancelled(copies: entry.copies))
    }

    private func sweep() {
        timer = nil
        let over = schedule.look(Monotonic.milliseconds)
        if watch?.isWriting == false { schedule.unblock() }
        flush()
        for (entry, outcome) in over { entry.request.completion(outcome) }
        if !schedule.isEmpty { sweepSoon() }
    }
}
