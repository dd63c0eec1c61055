// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ
import FoundationEssentials
import SwiftProtobuf

/// A request that has arrived whole and in time.
public struct IncomingRequest {
    public let address: ReplyAddress
    public let header: RequestHeader
    /// The `Request`, encoded, as it came: what a digest is taken of and what is passed on.
    public let body: [UInt8]
    /// Milliseconds that are left to answer it.
    public let remaining: UInt64

    /// Whether it has the one field that its kind was told by, and nothing beside it: then its kind is what it asks for.
    public var isOfOneField: Bool {
        body.withUnsafeBytes { bytes in
            var fields = WireFields(bytes)
            return fields.next() != nil && fields.next() == nil && fields.isWhole
        }
    }
}

/// Where an answer goes.
public struct ReplyAddress: Hashable, Sendable {
    /// By which connection it came.
    public let connection: [UInt8]
    public let key: RequestKey
    public let kind: RequestKind
    /// When it was taken off the socket: nanoseconds on the monotonic clock.
    public let received: UInt64
    /// The version of the protocol that the request was sent in, and its answer is.
    public let version: UInt8
}

/// The answering end: a ROUTER socket that lets through only what is a request of this protocol.
///
/// Lives on the loop of the actor that owns it. Whatever else arrives is counted and dropped, or answered with an
/// error where there is somebody to answer: see `Protocol.md`, part Frames.
public final class RequestServer {
    private let socket: Socket
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    var message = Message()
    /// Answers that are held back for a moment, to be sent together.
    private var outgoing = MessageBatch()
    /// Who each of them is for.
    private var leaving: [Peer] = []
    private let pool = FramePool()
    /// When the first of them was made.
    private var heldSince: UInt64 = 0
    private var isGathering = false
    private var header = WireWriter()
    var peers = PeerTable()
    private var gate: ConnectionGate?
    var told = RequestCounters()
    /// What it speaks; a `hello` is read in any version.
    let versions: ClosedRange<UInt8>
    public var counters: RequestCounters {
        var counters = told
        counters.answerBytesHeld = UInt64(max(0, peers.held.count))
        counters.connections = UInt64(gate?.open ?? 0)
        counters.connectionsTurnedAway = gate?.turnedAway ?? 0
        counters.descriptorShortages = gate?.shortages ?? 0
        return counters
    }
    /// How the requests were answered, and how soon.
    public private(set) var tally = RequestTally()
    /// The endpoint that is listened on, with the port that was chosen where it was left open.
    public let endpoint: String

    /// Bytes of answers to one peer that it has not read. A query service asks for all its clients by one connection.
    static let heldForPeer = 64 * 1024 * 1024
    /// Of all together.
    static let heldForAll = 256 * 1024 * 1024
    /// What a peer may have beyond that: whoever reads what it asks for has hardly more, whatever others do.
    static let heldInAnyCase = 64 * 1024
    /// Answers that are sent together at most, and nanoseconds that one waits for the others.
    private static let (together, patience) = (64, UInt64(200_000))
    /// The most that a header may have.
    let headerBytes: Int
    /// Kinds of requests that the service answers within microseconds.
    private let quick: [RequestKind]

    /// - Parameter passedOn: requests come by way of another service, which adds the times to their headers: room is
    ///   left for them, so that what that service took is not refused here.
    /// - Parameter connections: at once; one more is ended.
    /// - Parameter quick: kinds of requests that the service answers within microseconds. The answers before one of these
    ///   wait for its answer, so that they leave together. Before a request of any other kind they leave at once.
    /// - Throws: `ZeroMQError` when the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, passedOn: Bool = false, connections: Int = .max,
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions, quick: [RequestKind] = []
    ) throws(ZeroMQError) {
        (self.versions, self.quick) = (versions, quick)
        headerBytes = WaymarkProtocol.headerBytes + (passedOn ? 64 : 0)
        var options = SocketOptions.service
        options.maxMessageSize = WaymarkProtocol.messageBytes
        // Per peer, and in messages; their bytes are bounded below. More than the answers of one commit: a query service
        // may have asked for all of them.
        options.sendHighWaterMark = 4_096
        options.receiveHighWaterMark = 1_000
        options.ipv6 = Endpoint.isIPv6(endpoint)
        socket = try Socket(.router, context: context, options: options)
        let bound = try socket.bind(endpoint)
        self.endpoint = bound
        let gate = ConnectionGate(limit: connections, endpoint: bound)
        self.gate = gate
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in
            gate.noticed(event)
            if case .handshakeFailed = event { self?.told.handshakesFailed += 1 }
        }
    }

    /// Calls `handler` on the loop whenever requests wait.
    public func start(on loop: EventLoop, _ handler: @escaping () -> Void) {
        watch = loop.watch(socket, onReadable: handler)
    }

    /// Takes no new connections; those that there are go on. Called before the end, so that whoever connects next finds
    /// another service, or waits for this one to come back.
    ///
    /// The socket stays bound: to unbind it would end the others too, and their answers with them.
    public func stopListening() { gate?.isShut = true }

    /// Hears no more requests; answers can still be sent.
    public func stopReceiving() {
        watch?.cancel()
        watch = nil
    }

    public func close() {
        stopReceiving()
        monitor?.cancel()
        (monitor, gate) = (nil, nil)
    }

    /// To be called from time to time.
    public func settle() { gate?.settle() }

    /// Takes what has arrived, within bounds, so that one turn of the loop stays short.
    ///
    /// Answers that `handle` gives at once leave some at a time, and all of them before this returns: sent one by one,
    /// each would wake libzmq's thread for one write to the connection.
    ///
    /// libzmq hands out one message of each connection in turn. So whoever asks little waits for one request of each of
    /// the others, and for no more than that, as long as what is begun here is short.
    ///
    /// - Parameter nanoseconds: when that much time has passed, the rest is left for the next turn.
    public func receive(
        count: Int, bytes: Int, nanoseconds: UInt64 = .max, _ handle: (IncomingRequest) -> Void
    ) throws(ZeroMQError) {
        var failure: ZeroMQError?
        try together {
            do throws(ZeroMQError) { try take(count, bytes, nanoseconds, handle) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The same for answers that are given within `body`.
    public func together(_ body: () -> Void) throws(ZeroMQError) {
        guard !isGathering else { return body() }
        isGathering = true
        body()
        isGathering = false
        try flush()
    }

    private func take(
        _ count: Int, _ bytes: Int, _ nanoseconds: UInt64, _ handle: (IncomingRequest) -> Void
    ) throws(ZeroMQError) {
        var taken = 0
        var begun: UInt64?
        for _ in 0..<count where taken < bytes {
            guard try socket.receive(into: &message) else { return }
            taken += message.totalByteCount
            told.received += 1
            guard let request = admit() else { continue }
            // Any other may take long, and nobody's answer is to wait for that.
            if !quick.contains(request.address.kind) || !request.isOfOneField { try flush() }
            handle(request)
            // By the clock as it was when this one came: the time is looked up once for each request.
            let first = begun ?? request.address.received
            begun = first
            if request.address.received - first >= nanoseconds { return }
        }
    }

    /// Sends an answer. A peer that is gone or that does not read loses it: it will ask again, and be told the same.
    ///
    /// - Parameter body: an encoded `Reply`.
    public func answer(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) throws(ZeroMQError) {
        guard body.count <= WaymarkProtocol.messageBytes else {
            // It would end the connection of whoever asked, again at every try.
            told.refused[.tooLarge, default: 0] += 1
            return try answer(address, header, WireReply(.answerTooLarge).encoded)
        }
        let now = Monotonic.nanoseconds
        if let peer = peer(address.connection, with: body.count) {
            try send(to: peer, address.version, address.key, header, Frame(body, countedBy: peer.held), now)
        }
        count(address, ErrorCode(ofReply: body), now)
    }

    /// Sends an answer that is no failure, and is written where it is sent from.
    ///
    /// - Parameters:
    ///   - byteCount: of the encoded `Reply`; at most ``WaymarkProtocol/messageBytes``.
    ///   - fill: has to write all of it.
    public func answer(
        _ address: ReplyAddress, _ header: ReplyHeader, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ZeroMQError) {
        precondition(byteCount <= WaymarkProtocol.messageBytes, "an answer of \(byteCount) bytes")
        let now = Monotonic.nanoseconds
        if let peer = peer(address.connection, with: byteCount) {
            try send(
                to: peer, address.version, address.key, header,
                Frame(byteCount: byteCount, countedBy: peer.held, from: pool, fill: fill), now)
        }
        count(address, nil, now)
    }

    public func refuse(_ address: ReplyAddress, _ header: ReplyHeader, _ error: ServiceError) throws(ZeroMQError) {
        told.refused[error.code, default: 0] += 1
        try answer(address, header, WireReply(error).encoded)
    }

    private func count(_ address: ReplyAddress, _ refusal: ErrorCode?, _ now: UInt64) {
        tally.count(address.kind, refusal, nanoseconds: now - address.received)
    }

    /// Whether the connection has ended by which a request came, as far as an answer to it has shown that.
    public func isGone(_ address: ReplyAddress) -> Bool { peers.peer(address.connection).isGone }

    /// On whose account an answer is held until it is written; nil when that is too much, and it must not be sent.
    func peer(_ id: [UInt8], with bytes: Int) -> Peer? {
        let peer = peers.peer(id)
        let due = peer.held.count + bytes + HeldBytes.overhead
        guard due <= Self.heldForPeer, due <= Self.heldInAnyCase || peers.held.count + bytes <= Self.heldForAll else {
            told.answersOverBudget += 1
            return nil
        }
        return peer
    }

    /// - Parameter key: nil where the request could not be read.
    func send(
        to peer: Peer, _ version: UInt8, _ key: RequestKey?, _ told: ReplyHeader, _ body: consuming Frame,
        _ now: UInt64
    ) throws(ZeroMQError) {
        header.removeAll()
        told.write(key, into: &header)
        peer.id.withUnsafeBytes { outgoing.append(copying: $0) }
        Signature(.answer, version: version).withBytes { outgoing.append(copying: $0) }
        header.bytes.withUnsafeBytes { outgoing.append(copying: $0) }
        outgoing.append(body)
        outgoing.endMessage()
        leaving.append(peer)
        if outgoing.count == 1 { heldSince = now }
        if !isGathering || outgoing.count >= Self.together || now - heldSince >= Self.patience { try flush() }
    }

    /// What cannot be sent is not held either.
    private func flush() throws(ZeroMQError) {
        guard outgoing.count > 0 else { return }
        defer { leaving.removeAll(keepingCapacity: true) }
        var place = 0
        try socket.send(&outgoing) { outcome in
            switch outcome {
            case .sent: told.answered += 1
            case .wouldBlock: told.answersDropped += 1
            case .unroutable:
                told.answersUnroutable += 1
                leaving[place].lost()
            }
            place += 1
        }
    }
}

extension ServiceError {
    static let answerTooLarge = ServiceError(.tooLarge, "The answer would be too large: ask for fewer rows.")
    static let badFrame = ServiceError(
        .badFrame, "These frames are no request of the Waymark protocol: see its description, part Frames.")
}
