// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The server of a request test: a ROUTER that returns each request, or an answer of a given size that begins like it.
public actor EchoServer {
    /// A pause that the server makes once, to test the load test: with coordinated omission it would not be seen.
    public struct Stall: Hashable, Sendable {
        /// The number of answers after which the pause comes.
        public var after: UInt64
        public var milliseconds: UInt64

        public init(after: UInt64, milliseconds: UInt64) { (self.after, self.milliseconds) = (after, milliseconds) }
    }

    private let loop: EventLoop
    private let stall: Stall?
    private let delay: UInt64
    private var socket: Socket?
    private var watch: SocketWatch?
    private var message = Message()
    /// The last frame of an answer; empty if an answer is as large as its request.
    private var answer: [UInt8]
    private var answered: UInt64 = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - answerBytes: the size of an answer in bytes; nil if an answer is as large as its request.
    ///   - delay: the time in nanoseconds for which the server is busy before each answer.
    /// - Throws: an error if the process cannot create another thread, or has no file descriptor left for it.
    public init(answerBytes: Int? = nil, stall: Stall? = nil, delay: UInt64 = 0) throws(ZeroMQError) {
        (self.stall, self.delay) = (stall, delay)
        answer = answerBytes.map(Payload.make) ?? []
        loop = try EventLoop(name: "echo")
    }

    /// - Returns: the endpoint at which the server listens, with the port that was chosen.
    public func start(_ context: Context, endpoint: String = "tcp://127.0.0.1:*") throws(ZeroMQError) -> String {
        var options = SocketOptions.service
        (options.sendHighWaterMark, options.receiveHighWaterMark) = (0, 0)
        let socket = try Socket(.router, context: context, options: options)
        let endpoint = try socket.bind(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { $0.drain() })
        self.socket = consume socket
        return endpoint
    }

    public func stop() async {
        watch = nil
        socket = nil
        await loop.stop()
    }

    private func drain() {
        for _ in 0..<1_024 {
            guard (try? socket?.receive(into: &message)) == true else { return }
            answered += 1
            if let stall, answered == stall.after { pause(stall.milliseconds * 1_000_000) }
            if delay > 0 { pause(delay) }
            if !answer.isEmpty, message.count > 1 { fit() }
            // Ignore errors: the peer has disconnected or does not read, so it gets no answer.
            _ = try? socket?.send(&message)
        }
    }

    /// Replaces the last frame by the answer, which begins like the request.
    private func fit() {
        let last = message.count - 1
        message.withUnsafeBytes(at: last) { asked in
            for index in 0..<min(asked.count, Payload.fewest) { answer[index] = asked[index] }
        }
        var fitted = Message()
        for index in 0..<last { fitted.append(message.take(at: index)) }
        answer.withUnsafeBytes { fitted.append(copying: $0) }
        swap(&message, &fitted)
    }

    /// Blocks the thread of the event loop, as a long computation or a slow disk would.
    private func pause(_ nanoseconds: UInt64) {
        let end = NanoClock.now + nanoseconds
        while NanoClock.now < end {}
    }
}
