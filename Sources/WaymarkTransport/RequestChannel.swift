// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The asking end: a DEALER socket, what waits for an answer, and the rule by which a request is sent again.
///
/// Lives on the loop of the actor that owns it. A request that stays without an answer is sent again under the same
/// key, after a pause and at every new connection, until its time is over: the answering end recognises it. See
/// `Protocol.md`, parts Retries and Timers and sockets.
public final class RequestChannel {
    /// What is sent, and who is told how it ended.
    struct Question {
        let header: RequestHeader
        let body: [UInt8]
        let version: UInt8
        let completion: (ChannelOutcome) -> Void
    }

    private static let tick = Duration.milliseconds(50)
    /// Requests that are sent together at most.
    private static let together = 64

    /// Nil when the channel is closed.
    var socket: Socket?
    private let loop: EventLoop
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var timer: LoopTimer?
    var incoming = Message()
    private var outgoing = MessageBatch()
    /// What each of its messages is a copy of.
    private var leaving: [RequestSchedule<Question>.Entry] = []
    private var isGathering = false
    private var header = WireWriter()
    var schedule = RequestSchedule<Question>()
    private var reach: ConnectionReach
    private let endsWhenRefused: Bool
    private let onConnection: (Bool) -> Void
    private let around: (() -> Void) -> Void

    /// What this end speaks.
    public let versions: ClosedRange<UInt8>
    /// What is spoken with the other end: the lowest until its answer to a `hello` has told the highest in common.
    public private(set) var version: UInt8
    /// Whether a handshake with the other end has succeeded and nothing has ended the connection since.
    public var isConnected: Bool { reach.isConnected }
    /// Why there is no connection, as far as it is known.
    public var lastFailure: ConnectionFailure? { reach.failure }
    /// When the last answer came, on the monotonic clock; 0: none has.
    public internal(set) var lastAnswer: UInt64 = 0
    /// Answers that could not be read, or that nobody waited for any more.
    public internal(set) var strayAnswers: UInt64 = 0
    /// Copies that were encoded to be sent.
    private(set) var encodings: UInt64 = 0

    /// - Parameters:
    ///   - endsWhenRefused: an attempt to connect that fails ends all that wait with ``ChannelOutcome/notConnected``,
    ///     unless there has been a connection before. Else they wait as long as they may for somebody to listen.
    ///   - around: called on the loop with what takes the answers that have arrived, and has to call it: whoever passes
    ///     answers on can hold them together around it.
    ///   - onConnection: called on the loop when the connection comes (true) and goes (false).
    /// - Throws: `ZeroMQError` when `endpoint` is not one.
    public init(
        loop: EventLoop, context: Context, endpoint: String,
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions, endsWhenRefused: Bool = false,
        around: @escaping (() -> Void) -> Void = { $0() }, onConnection: @escaping (Bool) -> Void = { _ in }
    ) throws(ZeroMQError) {
        self.loop = loop
        (self.versions, version) = (versions, versions.lowerBound)
        (self.endsWhenRefused, self.around, self.onConnection) = (endsWhenRefused, around, onConnection)
        // inproc has no handshake to hear of.
        reach = ConnectionReach(isConnected: endpoint.hasPrefix("inproc://"))
        if reach.isConnected { schedule.connect() }
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
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

    /// Ends everything that waits with ``ChannelOutcome/closed(copies:)``, and closes the socket.
    public func close() {
        timer?.cancel()
        watch?.cancel()
        monitor?.cancel()
        (timer, watch, monitor) = (nil, nil, nil)
        socket = nil
        for entry in schedule.endAll() { entry.request.completion(.closed(copies: entry.copies)) }
    }

    /// Speaks the version that the other end has chosen.
    ///
    /// - Throws: it has chosen one that was not offered.
    public func speak(_ chosen: UInt32) throws(ServiceError) {
        guard let chosen = UInt8(exactly: chosen), versions.contains(chosen) else {
            throw ServiceError(
                .protocolVersion,
                "The service wants to speak protocol version \(chosen), which was not offered to it: bring both to the "
                    + "same release.")
        }
        version = chosen
    }

    /// Sends a request, or the same one again.
    ///
    /// - Parameters:
    ///   - header: its times are set here at each sending.
    ///   - version: the one to send it in, where that is not ``version``: a `hello` goes in the lowest, and what is
    ///     passed on in that in which it came.
    ///   - milliseconds: how long to wait for the answer, sendings again included.
    ///   - completion: called on the loop, exactly once unless the same key is submitted again meanwhile: then
    ///     only the later one is called.
    /// - Returns: whether it was not waiting already.
    @discardableResult
    public func submit(
        _ header: RequestHeader, body: [UInt8], version: UInt8? = nil, milliseconds: UInt64,
        completion: @escaping (ChannelOutcome) -> Void
    ) -> Bool {
        guard socket != nil else {
            completion(.closed(copies: 0))
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
        if !isGathering || schedule.dueCount >= Self.together { flush() }
        sweepSoon()
        return addition == .added
    }

    /// Requests that are submitted within `body` leave some at a time, and all of them before this returns: sent one by
    /// one, each would wake libzmq's thread for one write to the connection.
    public func together(_ body: () -> Void) {
        guard !isGathering else { return body() }
        isGathering = true
        defer {
            isGathering = false
            flush()
        }
        body()
    }

    /// Sends what is due, as far as the connection takes it. What it does not take is encoded and offered again when
    /// the socket can be written again.
    public func flush() {
        // Most calls find nothing to do, and must not cost a look at the clock.
        while schedule.dueCount > 0 {
            let now = Monotonic.milliseconds
            while leaving.count < Self.together, let entry = schedule.next(now) { encode(entry, now) }
            guard !leaving.isEmpty else { break }
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
        question.header.write(
            sent: max(1, now), timeout: UInt32(clamping: entry.deadline - now), into: &header)
        Signature(.request, version: question.version).withBytes { outgoing.append(copying: $0) }
        header.bytes.withUnsafeBytes { outgoing.append(copying: $0) }
        outgoing.append(question.body)
        outgoing.endMessage()
        leaving.append(entry)
        encodings += 1
    }

    private func offer(_ now: UInt64) {
        var place = 0
        var refused: [RequestSchedule<Question>.Entry] = []
        // After an error the rest counts as not taken: the sweep tries again.
        try? socket?.send(&outgoing) { outcome in
            if outcome == .sent { schedule.sent(leaving[place], at: now) } else { refused.append(leaving[place]) }
            place += 1
        }
        let hasFailed = place < leaving.count
        refused += leaving[place...]
        leaving.removeAll(keepingCapacity: true)
        guard !refused.isEmpty else { return }
        schedule.blocked(refused)
        // A socket that fails would be called writable without end.
        if !hasFailed { watch?.isWriting = true }
    }

    /// There is something to watch only while requests wait: an idle process sleeps.
    private func sweepSoon() {
        guard timer == nil else { return }
        timer = loop.schedule(after: Self.tick) { [weak self] in self?.sweep() }
    }

    /// The request of that key that was submitted and has not ended yet.
    public func waiting(_ key: RequestKey) -> (user: String, body: [UInt8])? {
        schedule[key].map { ($0.request.header.user, $0.request.body) }
    }

    /// Waits for no answer any more: it ends with ``ChannelOutcome/cancelled(copies:)``.
    public func cancel(_ key: RequestKey) {
        guard let entry = schedule.end(key) else { return }
        entry.request.completion(.cancelled(copies: entry.copies))
    }

    private func sweep() {
        timer = nil
        let over = schedule.look(Monotonic.milliseconds)
        if watch?.isWriting == false { schedule.unblock() }
        flush()
        for entry in over { entry.request.completion(entry.copies == 0 ? .notConnected : .timedOut) }
        if !schedule.isEmpty { sweepSoon() }
    }

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
            guard endsWhenRefused, !reach.hasBeenConnected else { return }
            for entry in schedule.endAll() { entry.request.completion(.notConnected) }
        case nil: break
        }
    }
}
