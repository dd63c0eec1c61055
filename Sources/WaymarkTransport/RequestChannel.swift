// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The client's end of requests: a DEALER socket, and the requests that wait for an answer.
///
/// A channel lives on the loop of the actor that owns it. A request without an answer is sent again under the same key,
/// after a pause and at every new connection, until its time is over; the service recognises the key. See
/// `Protocol.md`, parts Retries and Timers and sockets.
///
/// A service may have several endpoints. The channel is connected to one of them at a time, so that no two endpoints
/// ever answer at once: one socket with several peers would distribute requests among them. When the present endpoint
/// does not serve, its socket is closed, with any unsent messages, and the next endpoint takes its place; then the
/// waiting requests are sent again, as after any other interruption. ``EndpointFailover`` has the rule.
public final class RequestChannel {
    /// Functions of the owner, which are called on the loop.
    public struct Hooks {
        let accepts: (WireWelcome) -> Bool
        let around: (() -> Void) -> Void
        let onConnection: (Bool) -> Void

        /// - Parameters:
        ///   - accepts: whether the service that answered a greeting at one of several endpoints may be used.
        ///   - around: called with a closure that receives the waiting answers; must call that closure. An owner that
        ///     forwards answers can gather them meanwhile.
        ///   - onConnection: called when the connection begins (true) and ends (false).
        public init(
            accepts: @escaping (WireWelcome) -> Bool = { _ in true },
            around: @escaping (() -> Void) -> Void = { $0() }, onConnection: @escaping (Bool) -> Void = { _ in }
        ) {
            (self.accepts, self.around, self.onConnection) = (accepts, around, onConnection)
        }
    }

    enum Link {
        case open(Connection)
        /// The previous endpoint was left, and the next one has not had its turn.
        case between
        case closed
    }

    /// The interval of checks for requests that must be sent again or are over, and for failover.
    static let tick = Duration.milliseconds(50)

    let dialer: Dialer
    let hooks: Hooks
    let endsWhenRefused: Bool
    var link = Link.between
    private let sender = RequestSender()
    var schedule = RequestSender.Schedule()
    /// The choice of endpoint; nil for a single one, to which libzmq reconnects by itself.
    var choice: EndpointChoice?
    private var timer: LoopTimer?

    /// The protocol versions that this end speaks.
    public let versions: ClosedRange<UInt8>
    /// The version in use: the lowest until the answer to a `hello` names the highest one that both ends speak.
    public private(set) var version: UInt8
    /// The time of the latest answer, in monotonic milliseconds; 0 if there was none.
    public internal(set) var lastAnswer: UInt64 = 0

    /// Whether a handshake with the service has succeeded and the connection has not ended since. With several
    /// endpoints the service must also have answered a greeting.
    public var isConnected: Bool { choice?.failover.isServing ?? (reach?.isConnected == true) }
    /// Whether the port was open at the latest attempt to connect.
    public var isOpen: Bool { reach?.isOpen == true }
    /// The reason why there is no connection; nil if unknown.
    public var lastFailure: ConnectionFailure? {
        let failure = reach?.failure ?? choice?.failureBefore
        return failure == .unreachable ? ConnectionFailure(ofSocketAt: endpoint) ?? failure : failure
    }
    /// The index of the endpoint in use.
    public var place: Int { choice?.failover.current ?? 0 }
    /// The endpoint in use.
    public var endpoint: String { dialer.endpoints[place] }
    var isClosed: Bool { if case .closed = link { true } else { false } }
    /// The number of encoded copies of requests.
    var encodings: UInt64 { sender.encodings }

    /// - Parameters:
    ///   - endpoints: the service's endpoints in the order in which they are tried; at least one.
    ///   - security: how this end proves its identity at an endpoint; nil for no proof and no encryption.
    ///   - endsWhenRefused: whether a failed attempt to connect to each endpoint ends all waiting requests with
    ///     ``ChannelOutcome/notConnected``, unless there was a connection before. Otherwise they wait until their time
    ///     is over.
    /// - Throws: `ZeroMQError` if the first endpoint is malformed.
    public init(
        loop: EventLoop, context: Context, endpoints: [String],
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions,
        security: @escaping (String) -> SocketSecurity? = { _ in nil }, endsWhenRefused: Bool = false,
        hooks: Hooks = Hooks()
    ) throws(ZeroMQError) {
        // Without endpoints use an empty one, which libzmq rejects as malformed below.
        dialer = Dialer(
            loop: loop, context: context, endpoints: endpoints.isEmpty ? [""] : endpoints, security: security)
        (self.versions, version) = (versions, versions.lowerBound)
        (self.endsWhenRefused, self.hooks) = (endsWhenRefused, hooks)
        if endpoints.count > 1 {
            choice = EndpointChoice(count: endpoints.count, versions: versions, now: Monotonic.milliseconds)
        }
        try open()
        tickSoon()
    }

    /// A channel to a service with one endpoint.
    public convenience init(
        loop: EventLoop, context: Context, endpoint: String, security: SocketSecurity? = nil
    ) throws(ZeroMQError) {
        try self.init(loop: loop, context: context, endpoints: [endpoint], security: { _ in security })
    }

    /// Ends all waiting requests with ``ChannelOutcome/closed(copies:)``, and closes the socket.
    public func close() {
        timer?.cancel()
        hangUp(.closed)
        for entry in schedule.endAll() { entry.request.completion(.closed(copies: entry.copies)) }
    }

    /// Switches to the protocol version that the service has chosen.
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

    /// Sends a request, or sends the same one again.
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
        // A service ends the connection at a larger frame, and each copy would end the next connection.
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
        if sender.isDue(schedule.dueCount) { flush() }
        tickSoon()
        return addition == .added
    }

    /// Sends a request as ``submit(_:body:version:milliseconds:completion:)`` does, and returns its outcome.
    public nonisolated(nonsending) func ask(
        _ header: RequestHeader, body: [UInt8], version: UInt8? = nil, milliseconds: UInt64
    ) async -> ChannelOutcome {
        await withCheckedContinuation { continuation in
            submit(header, body: body, version: version, milliseconds: milliseconds) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Sends the requests that are submitted within `body` together, all of them before this returns.
    public func together(_ body: () -> Void) {
        sender.together(body, flush: flush)
    }

    /// Sends the due requests, as far as the connection accepts them.
    public func flush() {
        if case .open(let connection) = link { sender.flush(&schedule, to: connection) }
    }

    /// Sets the timer for the next tick. With one endpoint it runs only while requests wait, so that an idle process
    /// sleeps.
    private func tickSoon() {
        guard !isClosed, choice != nil || !schedule.isEmpty, timer?.isOver ?? true else { return }
        timer = dialer.loop.schedule(after: Self.tick) { [weak self] in self?.passTime() }
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

    private func passTime() {
        failOver()
        let over = schedule.look(Monotonic.milliseconds)
        if case .open(let connection) = link, !connection.isWriting { schedule.unblock() }
        flush()
        for (entry, outcome) in over { entry.request.completion(outcome) }
        tickSoon()
    }
}
