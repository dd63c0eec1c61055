// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The client side of requests: a DEALER socket, and the requests that wait for an answer.
///
/// A channel lives on the event loop of the actor that owns it. A request without an answer is sent again under the
/// same key, after a pause and at every new connection, until its time is over. The service recognises the key, so it
/// executes the request once. See `Protocol.md`, parts Retries and Timers and sockets.
///
/// A service may have several endpoints. The channel is connected to only one of them at a time, because one socket
/// with several connections would distribute the requests among them. When the current endpoint does not serve, its
/// socket is closed together with any unsent messages. The channel then connects to the next endpoint, and sends the
/// waiting requests again, as after any other interruption. ``EndpointFailover`` contains the rule.
public final class RequestChannel {
    /// Functions of the owner, which are called on the event loop.
    public struct Hooks {
        let accepts: (WireWelcome) -> Bool
        let around: (Int, () -> Void) -> Void
        let onConnection: (Bool) -> Void

        /// - Parameters:
        ///   - accepts: returns whether to use the service that answered a greeting, if there are several endpoints.
        ///   - around: receives the number of answers that arrived together, and a closure that ends their requests,
        ///     and must call it. Meanwhile an owner that forwards answers can gather them, to send them together.
        ///   - onConnection: called with true when the connection begins, and with false when it ends.
        public init(
            accepts: @escaping (WireWelcome) -> Bool = { _ in true },
            around: @escaping (Int, () -> Void) -> Void = { $1() }, onConnection: @escaping (Bool) -> Void = { _ in }
        ) {
            (self.accepts, self.around, self.onConnection) = (accepts, around, onConnection)
        }
    }

    enum Link {
        case open(Connection)
        /// The previous endpoint was left, and the next one has not been opened yet.
        case between
        case closed
    }

    /// The interval of the checks for requests that must be sent again or whose time is over, and for failover.
    static let tick = Duration.milliseconds(50)

    let dialer: Dialer
    let hooks: Hooks
    let endsWhenRefused: Bool
    var link = Link.between
    private let sender = RequestSender()
    var schedule = RequestSender.Schedule()
    /// Chooses the endpoint to use; nil if there is only one, to which libzmq reconnects by itself.
    var choice: EndpointChoice?
    /// Whether there is a ``choice``. Every request asks, and looking at an optional property copies it.
    var hasChoice: Bool { dialer.endpoints.count > 1 }
    private var timer: LoopTimer?

    /// The protocol versions that this client speaks.
    public let versions: ClosedRange<UInt8>
    /// The protocol version in use. It is the lowest version until the answer to a `hello` names the highest one that
    /// both the client and the service speak.
    public private(set) var version: UInt8
    /// The time of the latest answer, in monotonic milliseconds; 0 if there was none.
    public internal(set) var lastAnswer: UInt64 = 0

    /// Whether a handshake with the service has succeeded and that connection has not ended. If there are several
    /// endpoints, the service must also have answered a greeting.
    public var isConnected: Bool { choice?.failover.isServing ?? (reach?.isConnected == true) }
    /// Whether the port was open at the latest attempt to connect.
    public var isOpen: Bool { reach?.isOpen == true }
    /// The failure `keysNeeded` or `noKeys`, if the service and this client are known to disagree about keys; else nil.
    /// It stays until a service serves, because each attempt to connect begins without a known reason.
    public internal(set) var disagreement: ConnectionFailure?
    /// The reason why there is no connection; nil if the reason is unknown.
    public var lastFailure: ConnectionFailure? {
        let failure = disagreement ?? reach?.failure ?? choice?.failureBefore
        return failure == .unreachable ? ConnectionFailure(ofSocketAt: endpoint) ?? failure : failure
    }
    /// The index of the endpoint in use.
    public var place: Int { choice?.failover.current ?? 0 }
    /// The endpoint in use.
    public var endpoint: String { dialer.endpoints[place] }
    var isClosed: Bool { if case .closed = link { true } else { false } }
    /// How many times a request was encoded, counting each copy.
    var encodings: UInt64 { sender.encodings }

    /// - Parameters:
    ///   - endpoints: the service's endpoints in the order in which they are tried; at least one.
    ///   - security: returns how the client proves its identity at an endpoint; nil for no proof and no encryption.
    ///   - endsWhenRefused: whether all waiting requests end with ``ChannelOutcome/notConnected`` after connecting to
    ///     every endpoint has failed, unless there was a connection before. If false, they wait until their time is
    ///     over.
    ///
    /// - Throws: `ZeroMQError` if the first endpoint is malformed.
    public init(
        loop: EventLoop, context: Context, endpoints: [String],
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions,
        security: @escaping (String) -> SocketSecurity? = { _ in nil }, endsWhenRefused: Bool = false,
        hooks: Hooks = Hooks()
    ) throws(ZeroMQError) {
        // If there are no endpoints, use an empty one, which libzmq rejects as malformed below.
        dialer = Dialer(
            loop: loop, context: context, endpoints: endpoints.isEmpty ? [""] : endpoints, security: security)
        (self.versions, version) = (versions, versions.lowerBound)
        (self.endsWhenRefused, self.hooks) = (endsWhenRefused, hooks)
        if hasChoice {
            choice = EndpointChoice(count: endpoints.count, versions: versions, now: Monotonic.milliseconds)
        }
        try open()
        tickSoon()
    }

    /// Ends all waiting requests with ``ChannelOutcome/closed(copies:)``, and closes the socket.
    public func close() {
        timer?.cancel()
        hangUp(.closed)
        for entry in schedule.endAll() { entry.request.completion(.closed(copies: entry.copies)) }
    }

    /// Switches to the protocol version that the service has chosen.
    ///
    /// - Throws: an error if this client did not offer that version.
    public func speak(_ chosen: UInt32) throws(ServiceError) {
        guard let chosen = UInt8(exactly: chosen), versions.contains(chosen) else {
            throw ServiceError(
                .protocolVersion,
                "The service chose protocol version \(chosen), which was not offered to it: bring both to the same "
                    + "release.")
        }
        version = chosen
    }

    /// Sends a request, or sends a copy of a request with the same key.
    ///
    /// - Parameters:
    ///   - header: the header of the request. Its times are set for each copy that is sent.
    ///   - version: the protocol version to send the request in; nil for ``version``. A `hello` is sent in the lowest
    ///     version, and a forwarded request in the version in which it arrived.
    ///   - milliseconds: how long to wait for the answer, including the time for sending it again.
    ///   - completion: called on the event loop, exactly once. If another request with the same key is submitted
    ///     meanwhile, only the later completion is called.
    /// - Returns: false if a request with this key was waiting already.
    @discardableResult
    public func submit(
        _ header: RequestHeader, body: [UInt8], version: UInt8? = nil, milliseconds: UInt64,
        completion: @escaping (ChannelOutcome) -> Void
    ) -> Bool {
        guard !isClosed else {
            completion(.closed(copies: 0))
            return true
        }
        // A service ends the connection when it receives a larger frame, and each copy would end the next connection.
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

    /// Runs `body`, and sends the requests that it submits together, before returning.
    public func together(_ body: () -> Void) {
        sender.together(body, flush: flush)
    }

    /// Sends the due requests that the connection accepts.
    public func flush() {
        // Services call it with each request, mostly for nothing.
        guard schedule.dueCount > 0 else { return }
        if case .open(let connection) = link { sender.flush(&schedule, to: connection) }
    }

    /// Sets the timer for the next tick. With one endpoint it runs only while requests wait, so that an idle process
    /// sleeps.
    private func tickSoon() {
        guard timer?.isOver ?? true, !isClosed, hasChoice || !schedule.isEmpty else { return }
        timer = dialer.loop.schedule(after: Self.tick) { [weak self] in self?.passTime() }
    }

    /// Returns the waiting request with this key; nil if there is none.
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
