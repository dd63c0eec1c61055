// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

/// The connection: one endpoint at a time.
extension RequestChannel {
    /// Connects to the current endpoint.
    func open() throws(ZeroMQError) {
        let endpoint = endpoint
        let security = security(endpoint)
        reach = ConnectionReach(endpoint, isSecured: security != nil)
        var options = SocketOptions.client
        options.ioThread = IOThreads.others
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.security = security
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
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
        turns.opened(Monotonic.milliseconds)
        if reach.isConnected { came() }
    }

    func closeSocket() {
        watch?.cancel()
        monitor?.cancel()
        (watch, monitor) = (nil, nil)
        socket = nil
    }

    private func noticed(_ event: SocketEvent) {
        switch reach.noticed(event) {
        case .came: came()
        case .went:
            schedule.disconnect()
            watch?.isWriting = false
            if turns.isNeeded { return moveOn() }
            onConnection(false)
        case .refused:
            if turns.isNeeded { return moveOn() }
            guard isHopeless || endsWhenRefused && !reach.hasBeenConnected else { return }
            endUnreached()
        case nil: break
        }
    }

    /// Whether there will be no connection any more: after its key was refused, libzmq never tries again. Where there are
    /// several endpoints each one has a new socket.
    var isHopeless: Bool { !turns.isNeeded && reach.failure == .keyRefused && !reach.isConnected }

    private func came() {
        if turns.isNeeded { return greet() }
        schedule.connect()
        onConnection(true)
        flush()
    }

    private func endUnreached() {
        for entry in schedule.endAll() { entry.request.completion(.notConnected) }
    }

    // MARK: Several endpoints

    /// Asks whether the current endpoint serves.
    private func greet() {
        let now = Monotonic.milliseconds
        var message = Message()
        for frame in greeter.next(now) { message.append(frame) }
        // What the connection does not accept counts as without an answer.
        _ = try? socket?.send(&message)
        turns.greeted(now)
    }

    /// The answer to a greeting.
    func greeted(_ reply: [UInt8]) {
        switch greeter.verdict(reply) {
        case .notServing: return moveOn()
        case .welcome(let welcome): guard accepts(welcome) else { return moveOn() }
        case .refused: break
        }
        if turns.welcomed(Monotonic.milliseconds) {
            failureBefore = nil
            schedule.connect()
            onConnection(true)
            flush()
        }
        // It does serve, so its refusals are about those requests.
        let refused = setAside
        setAside = [:]
        for (key, refusal) in refused {
            guard let entry = schedule.end(key) else { continue }
            entry.request.completion(.answered(refusal.header, body: refusal.body, unanswered: entry.copies))
        }
    }

    /// Keeps a request waiting although it was refused: the endpoint may not serve any more, and the next one may.
    func keep(_ key: RequestKey, refused header: ReplyHeader, _ body: [UInt8]) {
        guard schedule.refused(key) else {
            strayAnswers += 1
            return
        }
        if setAside.isEmpty { greet() }
        setAside[key] = (header, body)
    }

    /// Leaves the current endpoint. Its socket is closed at once, so that nothing arrives from it any more; the next one is
    /// opened by ``takeTurns()``.
    private func moveOn() {
        guard !isClosed else { return }
        let hasServed = turns.isServing
        failureBefore = reach.failure ?? failureBefore
        turns.failed(Monotonic.milliseconds)
        closeSocket()
        schedule.disconnect()
        setAside = [:]
        if hasServed { onConnection(false) }
        if endsWhenRefused, !turns.hasServed, turns.isRoundOver { endUnreached() }
    }

    func takeTurns() {
        switch turns.look(Monotonic.milliseconds) {
        // Without a free descriptor this fails, and the next endpoint has its turn after a moment.
        case .open: do throws(ZeroMQError) { try open() } catch { moveOn() }
        case .greet: greet()
        case .moveOn: moveOn()
        case nil: break
        }
    }
}
