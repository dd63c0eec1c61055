// SPDX-License-Identifier: Apache-2.0

/// Decides which peers may connect to the servers of a context (ZeroMQ RFC 27). A context has at most one handler.
///
/// libzmq asks the handler about each connection to a socket with a server's ``SocketSecurity``. The handler refuses
/// everyone until it is told whom to admit. Without a handler such servers admit nobody either. Start the handler
/// before the servers bind, and keep a reference, because it ends when the last reference is released.
///
/// Unrelated parts of a program share the handler by using different domains: with ``decide(for:_:)`` each decides who
/// may connect to its own domain.
///
/// The handler has a thread of its own, so that a busy event loop does not hold up handshakes.
public actor ZAPHandler {
    /// A function that decides about one peer.
    public typealias Decision = @Sendable (ZAPRequest) -> ZAPAnswer

    /// The endpoint at which libzmq looks for a handler.
    static let endpoint = "inproc://zeromq.zap.01"

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: EventLoop
    private var socket: Socket?
    private var watch: SocketWatch?
    /// Decides for domains that have no decision of their own.
    private var otherwise: Decision
    private var decisions: [String: Decision] = [:]
    /// The undecided peers, in order of arrival. Beyond `mostWaiting`, peers are told to try later.
    private var waiting: [Waiting] = []
    private var timer: LoopTimer?
    private let running = Locked(true)

    private static let mostWaiting = 1_000
    private let patience: Duration

    private struct Waiting {
        /// The frames before the content of the answer, which route the answer to its receiver.
        let envelope: [[UInt8]]
        let request: ZAPRequest
        let until: ContinuousClock.Instant
    }

    /// Whether the handler answers. Once it has stopped, nobody is admitted any more.
    public nonisolated var isRunning: Bool { running.withLock { $0 } }

    /// Starts the handler.
    ///
    /// Throws ``ZeroMQError/Code/zapHandlerExists`` if the context has a handler, and the errors of
    /// ``EventLoop/init(name:)``.
    ///
    /// - Parameters:
    ///   - patience: the longest time for which an undecided peer waits. Must be less than the servers'
    ///     ``SocketOptions/handshakeTimeout``, which is 3 s for ``SocketOptions/service``.
    ///   - decide: called on the handler's thread, for one peer after the other. Decide from memory, without asking
    ///     anybody else, because other peers wait meanwhile, up to their ``SocketOptions/handshakeTimeout``.
    public init(
        context: Context, patience: Duration = .seconds(2), decide: @escaping Decision
    ) async throws(ZeroMQError) {
        loop = try EventLoop(name: "zap")
        otherwise = decide
        self.patience = patience
        do throws(ZeroMQError) {
            // This call is isolated: an actor's async initialiser runs on the actor once its properties are set.
            try open(context)
        } catch {
            await loop.stop()
            throw error
        }
    }

    /// Starts the handler with a list of the peers to admit.
    public init(context: Context, admitting list: ZAPAllowList = ZAPAllowList()) async throws(ZeroMQError) {
        try await self.init(context: context, decide: { list.answer($0) })
    }

    deinit {
        let loop = loop
        // Stopping ends the thread, which would otherwise keep itself alive.
        Task.detached { await loop.stop() }
    }

    /// Replaces the decision for the domains that have no decision of their own. Connected peers stay connected.
    public func replace(decide: @escaping Decision) { otherwise = decide }

    /// Replaces the list of admitted peers for domains without a decision of their own. Connected peers stay connected.
    public func replace(admitting list: ZAPAllowList) { otherwise = { list.answer($0) } }

    /// Sets the decision for peers that connect to servers of this domain; `nil` restores the general decision.
    public func decide(for domain: String, _ decision: Decision?) { decisions[domain] = decision }

    /// Ends the handler and its thread. Nobody is admitted any more.
    public func stop() async {
        close()
        await loop.stop()
    }

    private func open(_ context: Context) throws(ZeroMQError) {
        // Use a `router`, because a `rep` could not receive another request while a peer waits.
        let socket = try Socket(.router, context: context)
        do throws(ZeroMQError) {
            try socket.bind(Self.endpoint)
        } catch  where error.code == .addressInUse {
            throw ZeroMQError("zmq_bind", endpoint: Self.endpoint, code: .zapHandlerExists, errno: error.errno)
        }
        watch = loop.watch(socket, for: self, onReadable: { $0.answerAll() })
        self.socket = consume socket
    }

    private func close() {
        watch = nil
        timer?.cancel()
        waiting = []
        running.withLock { $0 = false }
        // `zmq_close` frees the endpoint later, on libzmq's reaper thread. Unbinding frees it at once, so that the
        // context can have another handler as soon as `stop()` has returned.
        try? socket?.unbind(Self.endpoint)
        socket = nil
    }

    private func answerAll() {
        var message = Message()
        do throws(ZeroMQError) {
            while try socket?.receive(into: &message) == true { try answer(message) }
        } catch {
            // The context was shut down, and terminating it waits until all its sockets are closed.
            close()
        }
    }

    private func answer(_ message: borrowing Message) throws(ZeroMQError) {
        // Check the frames, because any socket of this process may connect here, and send anything, even a request
        // without an id.
        guard message.count > 2, message.bytes(at: 1).isEmpty else { return }
        let request = ZAPRequest(message)
        let number = message.count > 3 ? message.bytes(at: 3) : []
        let envelope = [message.bytes(at: 0), [], [UInt8](ZAPRequest.version.utf8), number]
        guard let request else { return try send(.fail, to: envelope) }
        let answer = decide(request)
        guard answer == .tryLater, waiting.count < Self.mostWaiting else { return try send(answer, to: envelope) }
        waiting.append(Waiting(envelope: envelope, request: request, until: .now + patience))
        if timer == nil { awaitOldest() }
    }

    private func decide(_ request: ZAPRequest) -> ZAPAnswer { (decisions[request.domain] ?? otherwise)(request) }

    /// Decides again about the waiting peers. Call it when the identity of a waiting peer may have become known.
    public func reconsider() {
        waiting.removeAll { peer in
            let answer = decide(peer.request)
            guard answer != .tryLater else { return false }
            try? send(answer, to: peer.envelope)
            return true
        }
    }

    /// Schedules a timer that answers the waiting peers whose time is over, and repeats this until no peer waits.
    private func awaitOldest() {
        timer = nil
        guard let oldest = waiting.first else { return }
        timer = loop.schedule(after: max(.zero, oldest.until - .now), for: self) { handler in
            let now = ContinuousClock.now
            let over = handler.waiting.prefix { $0.until <= now }
            handler.waiting.removeFirst(over.count)
            for peer in over { try? handler.send(.tryLater, to: peer.envelope) }
            handler.awaitOldest()
        }
    }

    private func send(_ answer: ZAPAnswer, to envelope: [[UInt8]]) throws(ZeroMQError) {
        var reply = Message()
        for frame in envelope { reply.append(frame) }
        let (status, text, userID) = answer.frames
        for frame in [status, text, userID, ""] { reply.append([UInt8](frame.utf8)) }
        // A `router` drops the answer to a peer that is gone, and does not block.
        _ = try socket?.send(&reply)
    }
}
