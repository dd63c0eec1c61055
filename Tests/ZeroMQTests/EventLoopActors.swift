// SPDX-License-Identifier: Apache-2.0
import Testing
import ZeroMQ

/// Takes one message per call of its handler.
actor OneByOne {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var socket: Socket?
    private var watch: SocketWatch?
    private var received: [[UInt8]] = []
    private var waiting: (count: Int, continuation: CheckedContinuation<[[UInt8]], Never>)?

    init(_ loop: EventLoop) { self.loop = loop }

    isolated deinit {}

    func open(_ context: Context, _ endpoint: String) throws {
        let socket = try Socket(.pull, context: context)
        try socket.bind(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { $0.receiveOne() })
        self.socket = consume socket
    }

    func all(_ count: Int) async -> [[UInt8]] {
        await withCheckedContinuation { tell($0, of: count) }
    }

    /// Resumes the task once there are so many messages.
    func tell(_ continuation: CheckedContinuation<[[UInt8]], Never>, of count: Int) {
        if received.count >= count { return continuation.resume(returning: received) }
        waiting = (count, continuation)
    }

    /// Receives a message outside of the handler, before the loop looks at the socket again.
    func takeOne(after send: @Sendable () throws -> Void) throws {
        try send()
        receiveOne()
    }

    private func receiveOne() {
        var message = Message()
        guard (try? socket!.receive(into: &message)) == true else { return }
        received.append(message.bytes(at: 0))
        if let waiting, received.count >= waiting.count {
            self.waiting = nil
            waiting.continuation.resume(returning: received)
        }
    }
}

/// Two sockets that are ready in the same turn; the first handler to be called closes both.
actor Rivals {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var one: Socket?
    private var two: Socket?
    private var watches: [SocketWatch] = []
    private var calls = 0
    private var waiting: CheckedContinuation<Int, Never>?

    init(_ loop: EventLoop) { self.loop = loop }

    isolated deinit {}

    func open(_ context: Context, _ endpoints: [String]) throws {
        let source = try Socket(.push, context: context)
        one = try Socket(.pull, context: context)
        two = try Socket(.pull, context: context)
        try one!.bind(endpoints[0])
        try two!.bind(endpoints[1])
        for endpoint in endpoints { try source.connect(endpoint) }
        for _ in endpoints {
            var message = Message([[1]])
            #expect(try source.send(&message) == .sent)
        }
        watches.append(loop.watch(one!, for: self, onReadable: { $0.closeBoth() }))
        watches.append(loop.watch(two!, for: self, onReadable: { $0.closeBoth() }))
    }

    func winners() async -> Int {
        await withCheckedContinuation { continuation in
            if calls > 0 { return continuation.resume(returning: calls) }
            waiting = continuation
        }
    }

    private func closeBoth() {
        calls += 1
        one = nil
        two = nil
        // The next turn has seen both: only then is the count final.
        loop.schedule(after: .milliseconds(1), for: self) { $0.waiting?.resume(returning: $0.calls) }
    }
}
