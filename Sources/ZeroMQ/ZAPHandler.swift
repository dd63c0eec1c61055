// SPDX-License-Identifier: Apache-2.0

/// Decides who may connect to the servers of a context (ZeroMQ RFC 27). At most one for each context.
///
/// libzmq asks it about each connection to a socket with a server's ``SocketSecurity``. It refuses everyone until it is
/// told whom to admit; without a handler those servers let nobody in, too. Start it before they bind, and keep it: with
/// its last owner's end it ends.
///
/// Parts of a program that know nothing of each other share it by their domains: each says who may connect to its own, with
/// ``decide(for:_:)``.
///
/// It has a thread of its own, so that a busy loop does not hold up handshakes.
public actor ZAPHandler {
    /// Decides about one peer.
    public typealias Decision = @Sendable (ZAPRequest) -> ZAPAnswer

    /// Where libzmq looks for it.
    static let endpoint = "inproc://zeromq.zap.01"

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: EventLoop
    private var socket: Socket?
    private var watch: SocketWatch?
    /// For domains that have no decision of their own.
    private var otherwise: Decision
    private var decisions: [String: Decision] = [:]
    /// Peers that wait for a decision, in the order of their coming. Beyond ``mostWaiting`` a peer is told at once to try
    /// later.
    private var waiting: [Waiting] = []
    private var timer: LoopTimer?
    private let running = Locked(true)

    private static let mostWaiting = 1_000
    private let patience: Duration

    private struct Waiting {
        /// The frames that say to whom the answer goes.
        let envelope: [[UInt8]]
        let request: ZAPRequest
        let until: ContinuousClock.Instant
    }

    /// Whether it answers. When it does not, nobody is admitted any more.
    public nonisolated var isRunning: Bool { running.withLock { $0 } }

    /// Starts to answer.
    ///
    /// Throws ``ZeroMQError/Code/zapHandlerExists`` when the context has a handler, and what ``EventLoop/init(name:)``
    /// throws.
    ///
    /// - Parameters:
    ///   - patience: the longest time for which a peer waits about whom nobody can say. Less than the servers'
    ///     ``SocketOptions/handshakeTimeout``, which is 3 s for ``SocketOptions/service``.
    ///   - decide: called on the handler's thread, for one peer after the other. Others wait for it, up to their
    ///     ``SocketOptions/handshakeTimeout``: it looks into memory and does not ask anybody else.
    public init(
        context: Context, patience: Duration = .seconds(2), decide: @escaping Decision
    ) async throws(ZeroMQError) {
        loop = try EventLoop(name: "zap")
        otherwise = decide
        self.patience = patience
        do throws(ZeroMQError) {
            // An actor's async initialiser runs on the actor once its properties are set: the socket is made there.
            try open(context)
        } catch {
            await loop.stop()
            throw error
        }
    }

    /// Starts to admit who is in the list.
    public init(context: Context, admitting list: ZAPAllowList = ZAPAllowList()) async throws(ZeroMQError) {
        try await self.init(context: context, decide: { list.answer($0) })
    }

    deinit {
        let loop = loop
        // Ends the thread, which would keep itself alive.
        Task.detached { await loop.stop() }
    }

    /// From now on decides like this. Who is connected stays connected.
    public func replace(decide: @escaping Decision) { otherwise = decide }

    /// From now on admits who is in this list. Who is connected stays connected.
    public func replace(admitting list: ZAPAllowList) { otherwise = { list.answer($0) } }

    /// From now on decides like this about those that connect to servers of this domain. `nil`: as about all others.
    public func decide(for domain: String, _ decision: Decision?) { decisions[domain] = decision }

    /// Ends the handler and its thread. From now on nobody is admitted.
    public func stop() async {
        close()
        await loop.stop()
    }

    private func open(_ context: Context) throws(ZeroMQError) {
        // Not a `rep`, which would let nobody ask while one peer waits.
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
        // `zmq_close` gives the endpoint back later, on the reaper's thread. Unbinding does at once, so that the context can
        // have another handler when `stop()` has returned.
        try? socket?.unbind(Self.endpoint)
        socket = nil
    }

    private func answerAll() {
        var message = Message()
        do throws(ZeroMQError) {
            while try socket?.receive(into: &message) == true { try answer(message) }
        } catch {
            // The context was shut down: it ends when all sockets are closed.
            close()
        }
    }

    private func answer(_ message: borrowing Message) throws(ZeroMQError) {
        // Any socket of this process may connect here, and ask without a number, or not ask at all.
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

    /// Decides again about the peers that wait, because more is known now.
    public func reconsider() {
        waiting.removeAll { peer in
            let answer = decide(peer.request)
            guard answer != .tryLater else { return false }
            try? send(answer, to: peer.envelope)
            return true
        }
    }

    /// Answers those whose time is over, as long as there are some that wait.
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
        // A `router` drops the answer to one who is gone, and never blocks.
        _ = try socket?.send(&reply)
    }
}
