// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The client's end of requests: a DEALER socket, and the requests that wait for an answer.
///
/// It lives on the loop of the actor that owns it. A request without an answer is sent again under the same key, after a
/// pause and at every new connection, until its time is over; the service recognises the key. See `Protocol.md`, parts
/// Retries and Timers and sockets.
public final class RequestChannel {
    /// What is sent, and what is called when the request ends.
    struct Question {
        let header: RequestHeader
        let body: [UInt8]
        let version: UInt8
        let completion: (ChannelOutcome) -> Void
    }

    private static let tick = Duration.milliseconds(50)

    /// Nil when the channel is closed.
    var socket: Socket?
    private let loop: EventLoop
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var timer: LoopTimer?
    /// The latest message received. Reused so that its capacity is kept.
    var incoming = Message()
    private let outbox = Outbox<RequestSchedule<Question>.Entry>()
    /// The latest encoded header. Reused so that its capacity is kept.
    private var header = WireWriter()
    var schedule = RequestSchedule<Question>()
    private var reach: ConnectionReach
    private let endsWhenRefused: Bool
    private let onConnection: (Bool) -> Void
    private let around: (() -> Void) -> Void

    /// The protocol versions that this end speaks.
    public let versions: ClosedRange<UInt8>
    /// The version in use: the lowest until the answer to a `hello` names the highest one that both ends speak.
    public private(set) var version: UInt8
    /// Whether a handshake with the service has succeeded and the connection has not ended since.
    public var isConnected: Bool { reach.isConnected }
    /// Why there is no connection; nil if that is not known.
    public var lastFailure: ConnectionFailure? { reach.failure }
    /// When the latest answer arrived, in monotonic milliseconds; 0 if none has.
    public internal(set) var lastAnswer: UInt64 = 0
    /// Answers that could not be read, or to which no request waited any more.
    public internal(set) var strayAnswers: UInt64 = 0
    /// Copies of requests that were encoded.
    private(set) var encodings: UInt64 = 0

    /// - Parameters:
    ///   - security: how this end proves who it is; nil: not at all, and nothing is encrypted.
    ///   - endsWhenRefused: whether a failed attempt to connect ends all waiting requests with
    ///     ``ChannelOutcome/notConnected``, unless there was a connection before. Otherwise they wait until their time
    ///     is over.
    ///   - around: called on the loop with a closure that receives the waiting answers; it must call that closure. An
    ///     owner that forwards answers can gather them meanwhile.
    ///   - onConnection: called on the loop when the connection begins (true) and ends (false).
    /// - Throws: `ZeroMQError` if `endpoint` is malformed.
    public init(
        loop: EventLoop, context: Context, endpoint: String,
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions, security: SocketSecurity? = nil,
        endsWhenRefused: Bool = false,
        around: @escaping (() -> Void) -> Void = { $0() }, onConnection: @escaping (Bool) -> Void = { _ in }
    ) throws(ZeroMQError) {
        self.loop = loop
        (self.versions, version) = (versions, versions.lowerBound)
        (self.endsWhenRefused, self.around, self.onConnection) = (endsWhenRefused, around, onConnection)
        // An inproc endpoint has no handshake that the monitor could report.
        reach = ConnectionReach(isConnected: endpoint.hasPrefix("inproc://"), isSecured: security != nil)
        if reach.isConnected { schedule.connect() }
        var options = SocketOptions.client
        options.ioThread = IOThreads.others
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.security = security
        options.ipv6 = Endpoint.isIPv6(endpoint)
        let socket = try Socket(.dealer, context: context, options: options)
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in self?.noticed(event) }
        try socket.connect(endpoint)
        watch = loop.watch(
            socket,
            onReadable: { [weak self] in
                guard let self else { return }
                self.around { self.receive() }
            },
            onWritable: { [weak self] in self?.becameWritable() })
        self.socket = consume socket
    }

    /// Ends all waiting requests with ``ChannelOutcome/closed(copies:)``, and closes the socket.
    public func close() {
        timer?.cancel()
        watch?.cancel()
        monitor?.cancel()
        (timer, watch, monitor) = (nil, nil, nil)
        socket = nil
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
        guard socket != nil else {
            completion(.closed(copies: 0))
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

    /// Sends what is due, as far as the connection accepts it. What it does not accept is encoded and offered again when
    /// the socket becomes writable.
    public func flush() {
        // Most calls find nothing to send, and then the clock is not read.
        while schedule.dueCount > 0 {
            let now = Monotonic.milliseconds
            while !outbox.isFull, let entry = schedule.next(now) { encode(entry, now) }
            guard !outbox.isEmpty else { break }
            offer(now)
        }
    }

    private func becameWritable() {
        watch?.isWriting = false
        schedule.unblock()
        flush()
    }

    private func encode(_ entry: RequestSchedule<Question>.Entry, _ now: UInt64) {
        let question = entry.request
        header.removeAll()
        question.header.write(sent: max(1, now), timeout: entry.left(at: now), into: &header)
        // Whether it is due does not matter: ``flush()`` encodes only what leaves at once.
        _ = outbox.add(entry) { message in
            Signature(.request, version: question.version).withBytes { message.append(copying: $0) }
            header.bytes.withUnsafeBytes { message.append(copying: $0) }
            message.append(question.body)
        }
        encodings += 1
    }

    private func offer(_ now: UInt64) {
        var refused: [RequestSchedule<Question>.Entry] = []
        var hasFailed = false
        // After an error the remaining requests count as not accepted, and the sweep tries them again.
        try? socket?.send(outbox) { entry, outcome in
            if outcome == .sent { schedule.sent(entry, at: now) } else { refused.append(entry) }
            if outcome == nil { hasFailed = true }
        }
        guard !refused.isEmpty else { return }
        schedule.blocked(refused)
        // A socket that fails would be reported as writable again and again.
        if !hasFailed { watch?.isWriting = true }
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

    /// Whether there will be no connection any more: after its key was refused, libzmq never tries again.
    private var isHopeless: Bool { reach.failure == .keyRefused && !reach.isConnected }

    private func noticed(_ event: SocketEvent) {
        switch reach.noticed(event) {
        case .came:
            schedule.connect()
            onConnection(true)
            flush()
        case .went:
            schedule.disconnect()
            watch?.isWriting = false
            onConnection(false)
        case .refused:
            guard isHopeless || endsWhenRefused && !reach.hasBeenConnected else { return }
            for entry in schedule.endAll() { entry.request.completion(.notConnected) }
        case nil: break
        }
    }
}
