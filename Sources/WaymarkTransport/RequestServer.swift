// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The service's end of requests: a ROUTER socket that receives requests and sends answers.
///
/// A server lives on the loop of the actor that owns it. A message that is not a request of this protocol is counted
/// and dropped, or answered with an error if it names a sender: see `Protocol.md`, part Frames.
public final class RequestServer {
    /// The nanoseconds that an answer may wait for others.
    private static let patience: UInt64 = 200_000

    let listener: Listener
    /// The latest message received. Reused so that its capacity is kept.
    var message = Message()
    let peers = PeerTable()
    let outbox = Outbox<Peer>(patience: patience)
    let pool = FramePool()
    /// The encoded header of the latest answer. Reused so that its capacity is kept.
    var header = WireWriter()
    /// Counts of the socket. The fields about held bytes and connections stay 0 here.
    var counted = RequestCounters()
    /// The results of the answered requests, and their times.
    public internal(set) var tally = RequestTally()
    /// The protocol versions that the service speaks. A `hello` is read in any version.
    let versions: ClosedRange<UInt8>
    /// Whether each client has proved to own its key.
    let isSecured: Bool
    /// The largest header that is accepted.
    let headerBytes: Int

    /// The endpoint, with the chosen port if it was left open.
    public var endpoint: String { listener.endpoint }

    public var counters: RequestCounters {
        var counters = counted
        counters.answerBytesHeld = UInt64(max(0, peers.held.count))
        counters.connections = listener.connections
        counters.connectionsTurnedAway = listener.turnedAway
        counters.descriptorShortages = listener.gate?.shortages ?? 0
        return counters
    }

    /// - Parameters:
    ///   - passedOn: whether another service forwards requests to this one. It adds times, the account and its origin
    ///     to their headers, so the limit for headers is higher here: a header that the other service accepted is not
    ///     refused.
    ///   - rule: how many clients may connect, and how they prove their identity.
    ///   - messageBytes: the largest frame; a larger one ends its sender's connection.
    ///   - backlog: the most messages of one connection that wait to be received. Beyond it TCP makes the sender wait.
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
        // The limit of messages for each peer; ``peer(_:with:)`` bounds their bytes. It exceeds the answers of one
        // commit, because a query service may have requested all of them.
        options.sendHighWaterMark = 4_096
        options.receiveHighWaterMark = backlog
        options.ioThread = IOThreads.requests
        listener = try Listener(.router, at: endpoint, loop: loop, context: context, options: options, rule: rule)
        listener.onEvent = { [weak self] event, _ in
            if case .handshakeFailed = event { self?.counted.handshakesFailed += 1 }
        }
    }

    /// Calls `handler` on the loop whenever requests wait.
    public func start(on loop: EventLoop, _ handler: @escaping () -> Void) {
        listener.start(on: loop, onReadable: handler)
    }

    /// Accepts no new connections; the present ones continue. Called before a service stops, so that new clients find
    /// another service, or wait until this one is back.
    ///
    /// The socket stays bound, because unbinding would close the present connections and lose their answers.
    public func stopListening() { listener.gate?.isShut = true }

    /// Receives no more requests. Answers can still be sent.
    public func stopReceiving() { listener.stopReceiving() }

    public func close() { listener.close() }

    /// Resumes normal operation once a shortage of file descriptors is over. Call it about once a second.
    public func settle() { listener.gate?.settle() }

    /// Receives waiting requests, within bounds that keep one turn of the loop short.
    ///
    /// Answers that `handle` gives at once are sent together, all of them before this returns.
    ///
    /// libzmq takes one message from each connection in turn. So a client with few requests waits for at most one
    /// request of each other client, if requests are begun quickly here.
    ///
    /// - Parameters:
    ///   - count: the most messages to receive.
    ///   - bytes: stops after this many bytes.
    ///   - nanoseconds: stops after this much time.
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
            // Compare the arrival of this request, not the present time: the clock is read once for each request.
            let first = begun ?? request.address.received
            begun = first
            if request.address.received - first >= nanoseconds { return }
        }
    }

    /// Whether the connection of a request is known to have ended, which an undeliverable answer reveals.
    public func isGone(_ address: ReplyAddress) -> Bool { peers.peer(address.connection).isGone }
}
