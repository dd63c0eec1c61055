// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol
public import ZeroMQ

/// How a request ended.
public enum ChannelOutcome: Sendable {
    /// An answer came. `body` is the encoded `Reply`, a failure perhaps.
    /// `copies` tells how often the request was sent: of more than one, an earlier copy may have been done.
    case answered(ReplyHeader, body: [UInt8], copies: Int)
    /// It was never sent: nobody listens there. Nothing was done.
    case notConnected
    /// It was sent and not answered in time. Whether it was done is not known.
    case timedOut
    /// Too many requests wait already. Nothing was done.
    case tooMany
}

/// The asking end: a DEALER socket, what waits for an answer, and the rule by which a request is sent again.
///
/// Lives on the loop of the actor that owns it. A request that stays without an answer is sent again under the same
/// key, after a pause and at every new connection, until its time is over: the answering end recognises it. See
/// `Protocol.md`, parts Retries and Timers and sockets.
public final class RequestChannel {
    /// An object, so that it is looked up once for all that is noted of it.
    private final class Pending {
        let header: RequestHeader
        let body: [UInt8]
        let version: UInt8
        let deadline: UInt64
        var sentAt: UInt64?
        var copies = 0
        let completion: (ChannelOutcome) -> Void

        init(
            _ header: RequestHeader, _ body: [UInt8], version: UInt8, deadline: UInt64,
            _ completion: @escaping (ChannelOutcome) -> Void
        ) {
            (self.header, self.body, self.version, self.deadline) = (header, body, version, deadline)
            self.completion = completion
        }

        /// Each copy waits longer for its answer than the one before: a service that is slow is not helped by more.
        func isDue(_ now: UInt64, _ pause: UInt64) -> Bool {
            guard let sentAt else { return true }
            return now - sentAt >= pause << UInt64(min(3, max(0, copies - 1)))
        }
    }

    /// Answers are awaited this long before a request is sent again.
    private static let resendAfter: UInt64 = 1_000
    private static let tick = Duration.milliseconds(50)
    private static let pendingLimit = 65_536
    private static let pendingByteLimit = 64 * 1024 * 1024
    /// Requests that are sent together at most.
    private static let together = 64

    private let socket: Socket
    private let loop: EventLoop
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var timer: LoopTimer?
    private var incoming = Message()
    private var outgoing = MessageBatch()
    /// What each of its messages is a copy of, and when the copy before it was sent.
    private var leaving: [(request: Pending, sentBefore: UInt64?)] = []
    private var isGathering = false
    private var header: [UInt8] = []
    private var pending: [RequestKey: Pending] = [:]
    private var pendingBytes = 0
    private let onConnection: (Bool) -> Void
    private let around: (() -> Void) -> Void

    /// What this end speaks.
    public let versions: ClosedRange<UInt8>
    /// What is spoken with the other end: the lowest until its answer to a `hello` has told the highest in common.
    public private(set) var version: UInt8
    /// Whether a handshake with the other end has succeeded and nothing has ended the connection since.
    public private(set) var isConnected = false
    /// Why the last handshake failed, when it did.
    public private(set) var lastFailure: String?
    /// When the last answer came, on the monotonic clock; 0: none has.
    public private(set) var lastAnswer: UInt64 = 0
    /// Answers that could not be read, or that nobody waited for any more.
    public private(set) var strayAnswers: UInt64 = 0

    /// - Parameters:
    ///   - around: called on the loop with what takes the answers that have arrived, and has to call it: whoever passes
    ///     answers on can hold them together around it.
    ///   - onConnection: called on the loop when the connection comes (true) and goes (false).
    /// - Throws: `ZeroMQError` when `endpoint` is not one.
    public init(
        loop: EventLoop, context: Context, endpoint: String,
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions, around: @escaping (() -> Void) -> Void = { $0() },
        onConnection: @escaping (Bool) -> Void = { _ in }
    ) throws(ZeroMQError) {
        self.loop = loop
        (self.versions, version) = (versions, versions.lowerBound)
        (self.around, self.onConnection) = (around, onConnection)
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.ipv6 = Endpoint.isIPv6(endpoint)
        socket = try Socket(.dealer, context: context, options: options)
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in self?.noticed(event) }
        try socket.connect(endpoint)
        // inproc has no handshake to hear of.
        isConnected = endpoint.hasPrefix("inproc://")
        watch = loop.watch(socket) { [weak self] in
            guard let self else { return }
            self.around { self.receive() }
        }
    }

    /// Ends everything that waits with ``ChannelOutcome/timedOut``, then lets go of the socket.
    public func close() {
        timer?.cancel()
        watch?.cancel()
        monitor?.cancel()
        (timer, watch, monitor) = (nil, nil, nil)
        let unanswered = pending.values
        pending.removeAll()
        pendingBytes = 0
        for request in unanswered { request.completion(.timedOut) }
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
        guard
            pending.count < Self.pendingLimit && pendingBytes + body.count <= Self.pendingByteLimit
                || pending[header.key] != nil
        else {
            completion(.tooMany)
            return true
        }
        // If it is held together with others, whether it could be sent is known only then.
        if pending[header.key] != nil { flush() }
        let now = Monotonic.milliseconds
        let request = Pending(
            header, body, version: version ?? self.version, deadline: now + milliseconds, completion)
        pendingBytes += body.count
        let known = pending.updateValue(request, forKey: header.key)
        if let known {
            (request.sentAt, request.copies) = (known.sentAt, known.copies)
            pendingBytes -= known.body.count
        }
        if request.sentAt == nil { send(request, now: now) }
        sweepSoon()
        return known == nil
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

    /// Sends what is held together.
    public func flush() {
        guard outgoing.count > 0 else { return }
        var place = 0
        // Would-block and errors alike leave it unsent; the sweep tries again until its time is over.
        try? socket.send(&outgoing) { outcome in
            if outcome != .sent { notSent(place) }
            place += 1
        }
        while place < leaving.count {
            notSent(place)
            place += 1
        }
        leaving.removeAll(keepingCapacity: true)
    }

    private func notSent(_ place: Int) {
        let (request, sentBefore) = leaving[place]
        request.sentAt = sentBefore
        request.copies -= 1
    }

    /// There is something to watch only while requests wait: an idle process sleeps.
    private func sweepSoon() {
        guard timer == nil else { return }
        timer = loop.schedule(after: Self.tick) { [weak self] in self?.sweep() }
    }

    /// The request of that key that was submitted and has not ended yet.
    public func waiting(_ key: RequestKey) -> (user: String, body: [UInt8])? {
        pending[key].map { ($0.header.user, $0.body) }
    }

    private func send(_ request: Pending, now: UInt64) {
        // Without ZMQ_IMMEDIATE requests would queue for whoever comes.
        guard isConnected, now < request.deadline else { return }
        header.removeAll(keepingCapacity: true)
        request.header.write(
            sent: max(1, now), timeout: UInt32(clamping: request.deadline - now), into: &header)
        Signature(.request, version: request.version).withBytes { outgoing.append(copying: $0) }
        header.withUnsafeBytes { outgoing.append(copying: $0) }
        outgoing.append(request.body)
        outgoing.endMessage()
        leaving.append((request, request.sentAt))
        request.sentAt = now
        request.copies += 1
        if !isGathering || outgoing.count >= Self.together { flush() }
    }

    private func receive() {
        for _ in 0..<1_024 {
            guard (try? socket.receive(into: &incoming)) == true else { return }
            guard incoming.count == 3,
                let signature = incoming.withUnsafeBytes(at: 0, { Signature($0) }), signature.kind == .answer
            else {
                strayAnswers += 1
                continue
            }
            guard versions.contains(signature.version) else {
                refusedInAnotherVersion(incoming.bytes(at: 2))
                continue
            }
            guard let (key, header) = incoming.withUnsafeBytes(at: 1, { ReplyHeader.read($0) }) else {
                strayAnswers += 1
                continue
            }
            lastAnswer = Monotonic.milliseconds
            let body = incoming.bytes(at: 2)
            guard let key else {
                if (try? WireReply(serializedBytes: body))?.failure.code == ErrorCode.protocolVersion.rawValue {
                    refusedUnread(body)
                    continue
                }
                // One request that could not be read says nothing about the others, which may be other people's.
                strayAnswers += 1
                continue
            }
            guard let request = take(key) else {
                strayAnswers += 1
                continue
            }
            request.completion(.answered(header, body: body, copies: request.copies))
        }
    }

    /// Why it was refused is all that can be read of another version's answer, and stands at the same place in each.
    private func refusedInAnotherVersion(_ body: [UInt8]) {
        guard case .failure? = (try? WireReply(serializedBytes: body))?.result else {
            strayAnswers += 1
            return
        }
        refusedUnread(body)
    }

    /// The other end speaks another version of the protocol: every request that waits fares the same.
    private func refusedUnread(_ body: [UInt8]) {
        strayAnswers += 1
        let unanswered = pending
        pending.removeAll()
        pendingBytes = 0
        for request in unanswered.values {
            request.completion(.answered(ReplyHeader(), body: body, copies: request.copies))
        }
    }

    private func take(_ key: RequestKey) -> Pending? {
        guard let request = pending.removeValue(forKey: key) else { return nil }
        pendingBytes -= request.body.count
        return request
    }

    /// Waits for no answer any more: ends with ``ChannelOutcome/timedOut``, for a copy may be under way.
    public func cancel(_ key: RequestKey) {
        take(key)?.completion(.timedOut)
    }

    private func sweep() {
        timer = nil
        let now = Monotonic.milliseconds
        var over: [RequestKey] = []
        together {
            for (key, request) in pending {
                if now >= request.deadline {
                    over.append(key)
                } else if request.isDue(now, Self.resendAfter) {
                    send(request, now: now)
                }
            }
        }
        for key in over {
            guard let request = take(key) else { continue }
            request.completion(request.sentAt == nil ? .notConnected : .timedOut)
        }
        if !pending.isEmpty { sweepSoon() }
    }

    private func noticed(_ event: SocketEvent) {
        switch event {
        case .handshakeSucceeded:
            isConnected = true
            lastFailure = nil
            onConnection(true)
            let now = Monotonic.milliseconds
            together {
                for (_, request) in pending.sorted(by: { $0.key.sequence < $1.key.sequence }) {
                    send(request, now: now)
                }
            }
        case .disconnected:
            guard isConnected else { return }
            isConnected = false
            onConnection(false)
        case .handshakeFailed:
            lastFailure = "\(event)"
        default: break
        }
    }
}
