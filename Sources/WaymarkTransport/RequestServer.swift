// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The server side of requests: a ROUTER socket that receives requests and sends answers.
///
/// A server lives on the event loop of the actor that owns it. A message that is not a request of this protocol is
/// counted, and either dropped or answered with an error: see `Protocol.md`, part Frames.
public final class RequestServer {
    /// The maximum number of nanoseconds for which an answer is held back, so that it can be sent together with others.
    private static let patience: UInt64 = 200_000

    let listener: Listener
    /// The latest message received. The same `Message` receives every message, so that its memory is reused.
    var message = Message()
    let peers = PeerTable()
    let outbox = Outbox<Peer>(patience: patience)
    let pool = FramePool()
    /// The encoded header of the latest answer. Reused so that its capacity is kept.
    var header = WireWriter()
    /// Counters of the socket. The fields about held bytes and connections stay 0 here, and ``counters`` fills them in.
    var counted = RequestCounters()
    /// Counts the answered requests by kind and result, and measures their times.
    public internal(set) var tally = RequestTally()
    /// The protocol versions that the service speaks. A `hello` is read in any version.
    let versions: ClosedRange<UInt8>
    /// Whether each client has proved to own its key.
    let isSecured: Bool
    /// The maximum size of a request's header, in bytes.
    let headerBytes: Int
    /// Requests of the same process, which are answered together with those from the socket; nil if there are none.
    public var local: LocalRequests?

    /// The endpoint that the socket is bound to. If the port was left open, this is the chosen port.
    public var endpoint: String { listener.endpoint }

    public var counters: RequestCounters {
        var counters = counted
        counters.answerBytesHeld = UInt64(max(0, peers.held.count))
        counters.handshakesFailed = listener.handshakesFailed
        counters.connections = listener.connections
        counters.connectionsTurnedAway = listener.turnedAway
        counters.descriptorShortages = listener.gate?.shortages ?? 0
        return counters
    }

    /// - Parameters:
    ///   - passedOn: whether another service forwards requests to this one. The other service adds times, the account
    ///     and its origin to their headers. So the limit for headers is higher here, so that no header is refused that
    ///     the other service accepted.
    ///   - rule: the maximum number of connections, and how clients prove their identity.
    ///   - messageBytes: the maximum size of a frame. A larger frame ends its sender's connection.
    ///   - backlog: the maximum number of messages of one connection that wait to be received. Beyond it TCP makes the
    ///     sender wait.
    ///
    /// - Throws: `ZeroMQError` if the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, passedOn: Bool = false,
        versions: ClosedRange<UInt8> = WaymarkProtocol.versions, rule: ConnectionRule = ConnectionRule(),
        messageBytes: Int = WaymarkProtocol.messageBytes, backlog: Int = 1_000
    ) throws(ZeroMQError) {
        (self.versions, isSecured) = (versions, rule.security != nil)
        headerBytes = WaymarkProtocol.headerBytes + (passedOn ? 160 : 0)
        var options = SocketOptions.service
        options.maxMessageSize = messageBytes
        // The maximum number of messages that wait for one peer; ``peer(_:with:)`` limits their bytes. It exceeds the
        // number of answers after one commit, because a query service may have sent all of those requests.
        options.sendHighWaterMark = 4_096
        options.receiveHighWaterMark = backlog
        options.ioThread = IOThreads.requests
        listener = try Listener(.router, at: endpoint, loop: loop, context: context, options: options, rule: rule)
    }

    /// Calls `handler` on the event loop whenever requests wait.
    public func start(on loop: EventLoop, _ handler: @escaping () -> Void) {
        listener.start(on: loop, onReadable: handler)
    }

    /// Accepts no new connections, but continues the present ones. Called before a service stops, so that new clients
    /// find another service, or wait until this one is back.
    ///
    /// The socket stays bound, because unbinding would close the present connections and lose their answers.
    public func stopListening() { listener.gate?.isShut = true }

    /// Receives no more requests, but can still send answers.
    public func stopReceiving() { listener.stopReceiving() }

    public func close() {
        listener.close()
        local?.close()
    }

    /// Resumes normal operation once a shortage of file descriptors is over. Call it about once a second.
    public func settle() { listener.gate?.settle() }

    /// Receives waiting requests, within limits that keep each iteration of the event loop short.
    ///
    /// Answers that `handle` gives at once are sent together, before this function returns.
    ///
    /// libzmq takes one message from each connection in turn. So a client with few requests waits for at most one
    /// request of each other client, provided that requests are handled quickly here.
    ///
    /// - Parameters:
    ///   - count: the maximum number of messages to receive.
    ///   - bytes: stops after so many bytes.
    ///   - nanoseconds: stops after so much time.
    public func receive(
        count: Int, bytes: Int, nanoseconds: UInt64 = .max, _ handle: (IncomingRequest) -> Void
    ) throws(ZeroMQError) {
        var failure: ZeroMQError?
        try together {
            do throws(ZeroMQError) { try receive(count, bytes, nanoseconds, handle) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func receive(
        _ count: Int, _ bytes: Int, _ nanoseconds: UInt64, _ handle: (IncomingRequest) -> Void
    ) throws(ZeroMQError) {
        var taken = 0
        var begun: UInt64?
        for _ in 0..<count where taken < bytes {
            guard try listener.socket.receive(into: &message) else { return }
            taken += message.totalByteCount
            counted.received += 1
            guard let request = admit() else { continue }
            // Flush before a slow request, so that earlier answers do not wait for it.
            if request.address.kind.row.cost != .quick { try flush() }
            handle(request)
            // Compare the arrival of this request, not the present time, so that the clock is read once for each
            // request.
            let first = begun ?? request.address.received
            begun = first
            if request.address.received - first >= nanoseconds { return }
        }
    }

    /// Returns whether nobody waits for the answer to a request any more: its connection is known to have ended because
    /// an answer could not be delivered, or its task in the same process was cancelled.
    public func isGone(_ address: ReplyAddress) -> Bool {
        address.isLocal ? local?.isWaiting(address.key) != true : peers.peer(address.connection).isGone
    }
}
