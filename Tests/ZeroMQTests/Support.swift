// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import ZeroMQ

/// The transports that one test body runs over.
enum Transport: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case inproc, ipc, tcp

    var testDescription: String { rawValue }

    /// An endpoint of its own for each call: ports by wildcard, files in a temporary directory.
    func endpoint() -> String {
        switch self {
        case .inproc: "inproc://\(UUID())"
        case .ipc: "ipc://\(FileManager.default.temporaryDirectory.path)/zmq-\(UUID()).sock"
        case .tcp: "tcp://127.0.0.1:*"
        }
    }
}

/// The calling thread's number, from the kernel: `pthread_self` may be carried across an `await` by the optimiser.
func currentThread() -> Int32 {
    var path = [CChar](repeating: 0, count: 64)
    guard readlink("/proc/thread-self", &path, path.count - 1) > 0 else { return -1 }
    let text = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Int32(text.split(separator: "/").last ?? "") ?? -1
}

/// A loop that a test borrows: stopped when the body ends, also by an error.
func withLoop<R: Sendable>(
    _ name: String = "test", _ body: @Sendable (EventLoop) async throws -> R
) async throws -> R {
    let loop = try EventLoop(name: name)
    do {
        let result = try await body(loop)
        await loop.stop()
        return result
    } catch {
        await loop.stop()
        throw error
    }
}

/// A socket on a loop, as an actor whose methods the tests call from outside.
actor Peer {
    typealias Handler = @Sendable (isolated Peer, inout Message) throws -> Void

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var received: [[[UInt8]]] = []
    private var waiting: [CheckedContinuation<[[UInt8]], any Error>] = []
    private var events: [(SocketEvent, String)] = []
    private var eventWaiting: (isWanted: (SocketEvent) -> Bool, continuation: CheckedContinuation<SocketEvent, Never>)?
    private var writable: (watch: SocketWatch, continuation: CheckedContinuation<Void, Never>)?
    private let onClose: @Sendable (Int32) -> Void
    private(set) var handlerThreads: Set<Int32> = []
    private(set) var failure: ZeroMQError?

    init(_ loop: EventLoop, onClose: @escaping @Sendable (Int32) -> Void = { _ in }) {
        self.loop = loop
        self.onClose = onClose
    }

    isolated deinit {
        // Before the socket: libzmq's thread would wait for ever to report the socket's end to nobody.
        monitor?.cancel()
        onClose(currentThread())
    }

    func open(
        _ kind: Socket.Kind, _ context: Context, _ options: SocketOptions = SocketOptions(), monitored: Bool = false,
        isReading: Bool = true, handler: Handler? = nil
    ) throws {
        let socket = try Socket(kind, context: context, options: options)
        if monitored {
            monitor = try SocketMonitor(socket, on: loop, for: self) { $0.note($1, $2) }
        }
        let watch = loop.watch(socket, for: self, onReadable: { $0.drain(handler) })
        watch.isReading = isReading
        self.watch = watch
        self.socket = consume socket
    }

    func bind(_ endpoint: String) throws -> String { try socket!.bind(endpoint) }
    func connect(_ endpoint: String) throws { try socket!.connect(endpoint) }
    func disconnect(_ endpoint: String) throws { try socket!.disconnect(endpoint) }
    func subscribe(_ topic: [UInt8]) throws { try socket!.subscribe(topic) }
    func setReading(_ isReading: Bool) { watch?.isReading = isReading }
    func thread() -> Int32 { currentThread() }
    func closeSocket() { socket = nil }

    func send(_ message: inout Message) throws -> SendOutcome { try socket!.send(&message) }

    @discardableResult
    func send(_ frames: [[UInt8]]) throws -> SendOutcome {
        var message = Message()
        for frame in frames { message.append(frame) }
        return try socket!.send(&message)
    }

    /// The next message that came without a handler to take it.
    ///
    /// It looks inside the closure: where the task prefers an executor, Swift 6.3 queues the task once more at this
    /// `await`, so that a message may come between a look before the `await` and the closure.
    func next() async throws -> [[UInt8]] {
        try await withCheckedThrowingContinuation { continuation in
            if !received.isEmpty {
                continuation.resume(returning: received.removeFirst())
            } else if let failure {
                continuation.resume(throwing: failure)
            } else {
                waiting.append(continuation)
            }
        }
    }

    /// Sends as soon as the loop says that it would succeed; the number of times it said so.
    func sendWhenWritable(_ frames: [[UInt8]]) async throws -> Int {
        var calls = 0
        while true {
            await withCheckedContinuation { continuation in
                let watch = loop.watch(socket!, for: self, onReadable: { _ in }, onWritable: { $0.becameWritable() })
                watch.isReading = false
                watch.isWriting = true
                writable = (watch, continuation)
            }
            calls += 1
            if try send(frames) == .sent { return calls }
        }
    }

    private func becameWritable() {
        let writable = self.writable
        self.writable = nil
        writable?.continuation.resume()
    }

    /// The next event of this sort; those before it are dropped.
    func event(where isWanted: @escaping @Sendable (SocketEvent) -> Bool) async -> SocketEvent {
        await withCheckedContinuation { continuation in
            while !events.isEmpty {
                let (event, _) = events.removeFirst()
                if isWanted(event) { return continuation.resume(returning: event) }
            }
            eventWaiting = (isWanted, continuation)
        }
    }

    func event(_ wanted: SocketEvent) async { _ = await event { $0 == wanted } }

    func wasDisconnected() -> Bool { events.contains { Self.isDisconnected($0.0) } }
    func disconnected() async { _ = await event(where: Self.isDisconnected) }

    private static func isDisconnected(_ event: SocketEvent) -> Bool {
        if case .disconnected(let descriptor) = event { descriptor > 0 } else { false }
    }
    func dropMonitor() { monitor = nil }

    /// Closes the socket and ends its monitor at once.
    func closeBoth() {
        watch?.cancel()
        socket = nil
        monitor?.cancel()
        (watch, monitor) = (nil, nil)
    }

    /// Sends many messages to one peer, some with each tick of a timer.
    ///
    /// - Returns: whether the peer was there for all.
    func flood(_ id: [UInt8], rounds: Int, perRound: Int, every interval: Duration) async throws -> Bool {
        var sent = 0
        for _ in 0..<rounds {
            for _ in 0..<perRound {
                let outcome = try send([id, [UInt8](repeating: 1, count: 200 + sent % 7)])
                if outcome == .unroutable { return false }
                #expect(outcome == .sent)
                sent += 1
            }
            await withCheckedContinuation { continuation in
                _ = loop.schedule(after: interval) { continuation.resume() }
            }
        }
        return true
    }

    private func note(_ event: SocketEvent, _ endpoint: String) {
        guard let waiting = eventWaiting, waiting.isWanted(event) else {
            if eventWaiting == nil { events.append((event, endpoint)) }
            return
        }
        eventWaiting = nil
        waiting.continuation.resume(returning: event)
    }

    private func drain(_ handler: Handler?) {
        handlerThreads.insert(currentThread())
        var message = Message()
        do {
            while try socket!.receive(into: &message) {
                if let handler { try handler(self, &message) } else { keep(message.frames) }
            }
        } catch let error as ZeroMQError {
            failure = error
            for continuation in waiting { continuation.resume(throwing: error) }
            waiting = []
        } catch {
            Issue.record(error)
        }
    }

    /// The number of messages that ``next()`` would return at once.
    var kept: Int { received.count }

    func keep(_ frames: [[UInt8]]) {
        if waiting.isEmpty { received.append(frames) } else { waiting.removeFirst().resume(returning: frames) }
    }

    /// A router that sends everything back.
    static let echo: Handler = { peer, message in
        if try peer.send(&message) != .sent { Issue.record("the echo was not sent") }
    }
}

extension Message {
    init(_ frames: [[UInt8]]) {
        self.init()
        for frame in frames { append(frame) }
    }

    var frames: [[UInt8]] {
        var frames: [[UInt8]] = []
        for index in 0..<count { frames.append(bytes(at: index)) }
        return frames
    }
}
