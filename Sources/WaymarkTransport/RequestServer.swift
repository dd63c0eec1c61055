// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ
import Foundation
import SwiftProtobuf

/// A request that has arrived whole and in time.
public struct IncomingRequest {
    public let address: ReplyAddress
    public let header: WireRequestHeader
    /// The `Request`, encoded, as it came: what a digest is taken of and what is passed on.
    public let body: [UInt8]
    /// Milliseconds that are left to answer it.
    public let remaining: UInt64
}

/// Where an answer goes.
public struct ReplyAddress: Hashable, Sendable {
    fileprivate let peer: [UInt8]
    public let key: RequestKey
    public let kind: RequestKind
    /// When it was taken off the socket: nanoseconds on the monotonic clock.
    public let received: UInt64
}

/// The answering end: a ROUTER socket that lets through only what is a request of this protocol.
///
/// Lives on the loop of the actor that owns it. Whatever else arrives is counted and dropped, or answered with an
/// error where there is somebody to answer: see `Protocol.md`, part Frames.
public final class RequestServer {
    private let socket: Socket
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var message = Message()
    private var outgoing = Message()
    private var ages: [[UInt8]: RequestAge] = [:]
    private let signature = Signature(.answer).bytes
    public private(set) var counters = RequestCounters()
    /// How the requests were answered, and how soon.
    public private(set) var tally = RequestTally()
    /// The endpoint that is listened on, with the port that was chosen where it was left open.
    public let endpoint: String

    /// More peers than this, and the age of their requests is no longer told apart from the start.
    private static let agesKept = 10_000
    /// The most that a header may have.
    private let headerBytes: Int

    /// - Parameter passedOn: requests come by way of another service, which adds the times to their headers: room is
    ///   left for them, so that what that service took is not refused here.
    /// - Throws: `ZeroMQError` when the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, passedOn: Bool = false
    ) throws(ZeroMQError) {
        headerBytes = WaymarkProtocol.headerBytes + (passedOn ? 64 : 0)
        var options = SocketOptions.service
        options.maxMessageSize = WaymarkProtocol.messageBytes
        // Per peer. A page may be a megabyte: a client that asks and does not read is dropped from early.
        options.sendHighWaterMark = 1_000
        options.receiveHighWaterMark = 1_000
        options.ipv6 = Endpoint.isIPv6(endpoint)
        socket = try Socket(.router, context: context, options: options)
        self.endpoint = try socket.bind(endpoint)
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in
            if case .handshakeFailed = event { self?.counters.handshakesFailed += 1 }
        }
    }

    /// Calls `handler` on the loop whenever requests wait.
    public func start(on loop: EventLoop, _ handler: @escaping () -> Void) {
        watch = loop.watch(socket, onReadable: handler)
    }

    /// Takes no new connections; those that there are go on. Called before the end, so that whoever connects next finds
    /// another service, or waits for this one to come back.
    public func stopListening() {
        // It may be gone already, as an ipc socket whose file was removed.
        try? socket.unbind(endpoint)
    }

    /// Hears no more requests; answers can still be sent.
    public func stopReceiving() {
        watch?.cancel()
        watch = nil
    }

    public func close() {
        stopReceiving()
        monitor?.cancel()
        monitor = nil
    }

    /// Takes what has arrived, within bounds, so that one turn of the loop stays short.
    public func receive(count: Int, bytes: Int, _ handle: (IncomingRequest) -> Void) throws(ZeroMQError) {
        var taken = 0
        for _ in 0..<count where taken < bytes {
            guard try socket.receive(into: &message) else { return }
            taken += message.totalByteCount
            counters.received += 1
            if let request = admit() { handle(request) }
        }
    }

    /// Sends an answer. A peer that is gone or that does not read loses it: it will ask again, and be told the same.
    public func answer(_ address: ReplyAddress, _ header: WireReplyHeader, _ body: [UInt8]) throws(ZeroMQError) {
        var header = header
        header.client = address.key.client.wire
        header.sequence = address.key.sequence
        try send(to: address.peer, header, body)
        tally.count(
            address.kind, body.count <= WaymarkProtocol.messageBytes ? ErrorCode(ofReply: body) : .tooLarge,
            nanoseconds: Monotonic.nanoseconds - address.received)
    }

    public func refuse(_ address: ReplyAddress, _ header: WireReplyHeader, _ error: ServiceError) throws(ZeroMQError) {
        counters.refused[error.code, default: 0] += 1
        try answer(address, header, WireReply(error).encoded)
    }

    private func send(to peer: [UInt8], _ header: WireReplyHeader, _ body: [UInt8]) throws(ZeroMQError) {
        guard body.count <= WaymarkProtocol.messageBytes else {
            // It would end the connection of whoever asked, again at every try.
            counters.refused[.tooLarge, default: 0] += 1
            try send(to: peer, header, WireReply(.answerTooLarge).encoded)
            return
        }
        outgoing.removeAll()
        outgoing.append(peer)
        outgoing.append(signature)
        outgoing.append(header.encoded)
        outgoing.append(body)
        switch try socket.send(&outgoing) {
        case .sent: counters.answered += 1
        case .wouldBlock: counters.answersDropped += 1
        case .unroutable: counters.answersUnroutable += 1
        }
    }

    /// The request in `message`, or nil when it is none that may be handled.
    private func admit() -> IncomingRequest? {
        guard message.count >= 2 else { return malformed() }
        let peer = message.bytes(at: 0)
        guard let signature = message.withUnsafeBytes(at: 1, { Signature($0) }) else { return malformed() }
        guard signature.version == WaymarkProtocol.version else {
            refuseUnread(peer, WireReplyHeader(), .protocolVersion("\(signature.version)"))
            return nil
        }
        guard signature.kind == .request, message.count == 4,
            message.byteCount(at: 2) <= headerBytes,
            var header = try? WireRequestHeader(serializedBytes: message.bytes(at: 2)),
            let key = RequestKey(header)
        else {
            refuseUnread(peer, WireReplyHeader(), .badFrame)
            return nil
        }
        // What is passed on is what is known here.
        header.unknownFields = UnknownStorage()
        let received = Monotonic.nanoseconds
        let now = received / 1_000_000
        let limit = UInt64(header.timeoutMs == 0 ? WaymarkProtocol.defaultTimeoutMilliseconds : header.timeoutMs)
        let timeout = min(limit, UInt64(WaymarkProtocol.timeoutMilliseconds))
        let age = age(of: peer, sent: header.sentMs, now: now)
        guard age < timeout else {
            // Whoever asked has stopped waiting: an answer would be work for nobody.
            counters.expired += 1
            return nil
        }
        let body = message.bytes(at: 3)
        return IncomingRequest(
            address: ReplyAddress(peer: peer, key: key, kind: RequestKind(body: body), received: received),
            header: header, body: body, remaining: timeout - age)
    }

    private func age(of peer: [UInt8], sent: UInt64, now: UInt64) -> UInt64 {
        if ages.count > Self.agesKept { ages.removeAll(keepingCapacity: true) }
        return ages[peer, default: RequestAge()].age(sent: sent, now: now)
    }

    private func malformed() -> IncomingRequest? {
        counters.malformed += 1
        return nil
    }

    private func refuseUnread(_ peer: [UInt8], _ header: WireReplyHeader, _ error: ServiceError) {
        counters.malformed += 1
        // Best effort: whoever sends such frames may not be there to read an answer.
        try? send(to: peer, header, WireReply(error).encoded)
    }
}

extension ServiceError {
    static let answerTooLarge = ServiceError(.tooLarge, "The answer would be too large: ask for fewer rows.")
    static let badFrame = ServiceError(
        .badFrame, "These frames are no request of the Waymark protocol: see its description, part Frames.")
}
