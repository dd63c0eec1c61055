// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A peer that sends arbitrary frames and returns the received ones.
public actor RawPeer {
    private let loop = EventLoop.forTest("raw-peer")
    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var ended = 0
    private var inbox: [[[UInt8]]] = []
    private var waiter: CheckedContinuation<[[UInt8]], Never>?
    private var timer: LoopTimer?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    public init() {}

    /// - Parameter holding: how many messages a peer holds that does not read, and that drops none of its own; nil for
    ///   a peer that reads.
    public func open(
        _ endpoint: String, context: Context, as kind: Socket.Kind = .dealer, security: SocketSecurity? = nil,
        holding: Int? = nil
    ) throws {
        var options = holding == nil ? SocketOptions.client : SocketOptions()
        if let holding { (options.receiveHighWaterMark, options.sendHighWaterMark) = (holding, 0) }
        options.security = security
        let socket = try Socket(kind, context: context, options: options)
        monitor = try SocketMonitor(socket, on: loop, for: self) { peer, event, _ in
            if case .disconnected = event { peer.ended += 1 }
        }
        try socket.connect(endpoint)
        if holding == nil { watch = loop.watch(socket, for: self, onReadable: { $0.drain() }) }
        self.socket = consume socket
    }

    public func subscribe(_ topics: [[UInt8]]) throws {
        for topic in topics { try socket?.subscribe(topic) }
    }

    /// - Parameter tries: how often to try while nobody takes the message, ten milliseconds apart.
    public func send(_ frames: [[UInt8]], tries: Int = 6_000) async throws {
        for _ in 0..<tries {
            var message = Message()
            for frame in frames { message.append(frame) }
            // A client's socket blocks until it is connected.
            if try socket?.send(&message) == .sent { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Silence()
    }

    public struct Silence: Error { public init() {} }

    /// Returns the next message.
    public func receive(within time: Duration = .seconds(60)) async throws -> [[UInt8]] {
        if !inbox.isEmpty { return inbox.removeFirst() }
        let frames = await withCheckedContinuation { continuation in
            waiter = continuation
            timer = loop.schedule(after: time, for: self) { $0.giveUp() }
        }
        timer?.cancel()
        guard !frames.isEmpty else { throw Silence() }
        return frames
    }

    /// Waits until the other end has closed this connection.
    public func disconnected() async throws {
        guard await loop.wait(upTo: .seconds(60), until: { self.ended > 0 }) else { throw Silence() }
    }

    /// The number of messages that were received and not taken.
    public var waiting: Int { inbox.count }

    /// Takes all messages that were received and not taken before.
    public func takeAll() -> [[[UInt8]]] {
        defer { inbox.removeAll() }
        return inbox
    }

    private func giveUp() {
        waiter?.resume(returning: [])
        waiter = nil
    }

    private func drain() {
        var message = Message()
        while (try? socket?.receive(into: &message)) == true {
            let frames = (0..<message.count).map { message.bytes(at: $0) }
            if let waiter {
                self.waiter = nil
                waiter.resume(returning: frames)
            } else {
                inbox.append(frames)
            }
        }
    }

    /// Also runs if a test throws: the actor's sockets are closed on their loop.
    isolated deinit {
        watch?.cancel()
        monitor?.cancel()
    }

    public func close() async {
        watch?.cancel()
        monitor?.cancel()
        (watch, monitor) = (nil, nil)
        socket = nil
        await loop.stop()
    }
}
