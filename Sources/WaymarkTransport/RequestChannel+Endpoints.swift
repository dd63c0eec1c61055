// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Connects the channel to its endpoints, one at a time.
extension RequestChannel {
    /// The endpoints of a service, and everything else that a connection to one of them needs.
    struct Dialer {
        let loop: EventLoop
        let context: Context
        let endpoints: [String]
        let security: (String) -> SocketSecurity?
    }

    var reach: ConnectionReach? {
        guard case .open(let connection) = link else { return nil }
        return connection.reach
    }

    /// Connects to the current endpoint.
    func open() throws(ZeroMQError) {
        let connection = try Connection(
            .dealer, to: endpoint, loop: dialer.loop, context: dialer.context, security: dialer.security(endpoint),
            onNews: { [weak self] news in self?.noticed(news) })
        connection.start(
            on: dialer.loop,
            onReadable: { [weak self] in self?.receive() },
            onWritable: { [weak self] in self?.becameWritable() })
        link = .open(connection)
        choice?.opened(Monotonic.milliseconds)
        if connection.reach.isConnected { came() }
    }

    /// Ends the connection, if there is one, and sets the next state.
    func hangUp(_ next: Link) {
        if case .open(let connection) = link { connection.close() }
        link = next
    }

    private func noticed(_ news: ConnectionReach.News) {
        guard case .open(let connection) = link else { return }
        switch news {
        case .came: came()
        case .went:
            schedule.disconnect()
            connection.isWriting = false
            if choice != nil { return moveOn() }
            hooks.onConnection(false)
        case .refused:
            if let failure = reach?.failure, [.keysNeeded, .noKeys].contains(failure) { disagreement = failure }
            if choice != nil { return moveOn() }
            guard isHopeless || endsWhenRefused && !connection.reach.hasBeenConnected else { return }
            endUnreached()
        }
    }

    /// Whether there is no use in waiting: libzmq does not retry after the service refused the key, nor after a
    /// handshake with a peer of another kind. With several endpoints there is always hope, because each attempt uses a
    /// new socket.
    var isHopeless: Bool {
        guard !hasChoice, let reach, !reach.isConnected else { return false }
        return switch reach.failure {
        case .keyRefused: true
        case .keysNeeded, .noKeys, .otherKey, .foreign: endsWhenRefused && !reach.hasBeenConnected
        default: false
        }
    }

    private func came() { if choice == nil { serve() } else { greet() } }

    /// Begins to send requests on the connection.
    private func serve() {
        disagreement = nil
        schedule.connect()
        hooks.onConnection(true)
        flush()
    }

    private func becameWritable() {
        if case .open(let connection) = link { connection.isWriting = false }
        schedule.unblock()
        flush()
    }

    private func endUnreached() {
        for entry in schedule.endAll() { entry.request.completion(.notConnected) }
    }

    // MARK: Several endpoints

    /// Sends a `hello` to find out whether the current endpoint serves.
    private func greet() {
        guard case .open(let connection) = link, let frames = choice?.greet(Monotonic.milliseconds) else { return }
        var message = Message()
        for frame in frames { message.append(frame) }
        // If the connection does not accept the greeting, it counts as sent but unanswered.
        _ = try? connection.socket.send(&message)
    }

    /// Acts on the answer to a greeting.
    func judged(_ verdict: EndpointChoice.Verdict) {
        switch verdict {
        case .notServing: return moveOn()
        case .welcome(let welcome): guard hooks.accepts(welcome) else { return moveOn() }
        case .refused: break
        }
        guard let (begins, refusals) = choice?.welcomed(Monotonic.milliseconds) else { return }
        if begins { serve() }
        for (key, refusal) in refusals {
            guard let entry = schedule.end(key) else { continue }
            entry.request.completion(.answered(refusal.header, body: refusal.body, unanswered: entry.copies))
        }
    }

    /// Keeps a request waiting that the endpoint refused because it does not serve.
    func keep(_ key: RequestKey, refused header: ReplyHeader, _ body: [UInt8]) {
        guard schedule.refused(key) else { return }
        if choice?.keep((header, body), of: key) == true { greet() }
    }

    /// Leaves the current endpoint. Its socket is closed at once, so that nothing more arrives from that endpoint.
    /// ``failOver()`` opens the next endpoint.
    private func moveOn() {
        guard !isClosed, let hasServed = choice?.failover.isServing else { return }
        choice?.failed(reach?.failure, Monotonic.milliseconds)
        hangUp(.between)
        schedule.disconnect()
        if hasServed { hooks.onConnection(false) }
        if let failover = choice?.failover, endsWhenRefused, !failover.hasServed, failover.isRoundOver {
            endUnreached()
        }
    }

    func failOver() {
        switch choice?.failover.look(Monotonic.milliseconds) {
        // Opening fails if there is no free file descriptor. In this case the next endpoint is tried after a pause.
        case .open: do throws(ZeroMQError) { try open() } catch { moveOn() }
        case .greet: greet()
        case .moveOn: moveOn()
        case nil: break
        }
    }
}
