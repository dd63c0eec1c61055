// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Synchronization
public import WaymarkProtocol
public import ZeroMQ

/// Requests of clients in the same process, which reach a service without a socket. They may come from any thread.
///
/// The service's event loop takes them from a queue, and handles them as it handles the requests from its socket. The
/// queue has the limits that a ``RequestChannel`` has, and every request ends at its deadline at the latest.
public final class LocalRequests: Sendable {
    private static let most = 65_536
    private static let mostBytes = 64 * 1024 * 1024
    /// The interval of the checks for requests whose time is over.
    private static let tick = Duration.milliseconds(50)

    private struct Waiting {
        let continuation: CheckedContinuation<ChannelOutcome, Never>
        let byteCount: Int
        /// In monotonic nanoseconds.
        let deadline: UInt64
    }

    private struct State {
        /// The requests without an answer, by their numbers.
        var waiting: [UInt64: Waiting] = [:]
        /// The requests that the service has not received yet, in the order of arrival. Some may have ended already.
        var queue: Deque<(header: RequestHeader, body: [UInt8])> = []
        var byteCount = 0
        /// The event loop, and the function that receives the requests there; nil unless the service runs.
        var service: (loop: EventLoop, drain: @Sendable () -> Void)?
        /// Whether `drain` was submitted to the event loop and has not emptied the queue since.
        var isAwake = false
        var isTicking = false

        mutating func take(_ number: UInt64) -> CheckedContinuation<ChannelOutcome, Never>? {
            guard let taken = waiting.removeValue(forKey: number) else { return nil }
            byteCount -= taken.byteCount
            return taken.continuation
        }
    }

    private let state = Locked(State())
    private let client = RequestNumbers().client
    private let last = Atomic<UInt64>(0)

    public init() {}

    /// Begins to accept requests. `drain` is called on the event loop, and has to receive the requests.
    public func start(on loop: EventLoop, _ drain: @escaping @Sendable () -> Void) {
        state.withLock { $0.service = (loop, drain) }
    }

    /// Ends all requests with ``ChannelOutcome/notConnected``, and accepts no more.
    func close() {
        let left = state.withLock { state in
            defer { state = State() }
            return state.waiting.values.map(\.continuation)
        }
        for continuation in left { continuation.resume(returning: .notConnected) }
    }

    /// Sends a request to the service, and returns its outcome.
    ///
    /// - Parameters:
    ///   - header: the header of the request. Its key is replaced by a new one, so only reads may be sent.
    ///   - milliseconds: how long to wait for the answer.
    public func ask(_ header: RequestHeader, body: [UInt8], milliseconds: UInt64) async -> ChannelOutcome {
        guard body.count <= WaymarkProtocol.messageBytes else { return .tooLarge }
        let key = RequestKey(client: client, sequence: last.wrappingAdd(1, ordering: .relaxed).newValue)
        let left = min(milliseconds, UInt64(WaymarkProtocol.timeoutMilliseconds))
        let deadline = Monotonic.nanoseconds + left * 1_000_000
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var header = header
                header.key = key
                add(header, body, Waiting(continuation: continuation, byteCount: body.count, deadline: deadline))
                // The task may have been cancelled before the request was there.
                if Task.isCancelled { end(key, .cancelled(copies: 1)) }
            }
        } onCancel: {
            end(key, .cancelled(copies: 1))
        }
    }

    private func add(_ header: RequestHeader, _ body: [UInt8], _ request: Waiting) {
        let (refusal, wakes) = state.withLock { state -> (ChannelOutcome?, Bool) in
            guard state.service != nil else { return (.notConnected, false) }
            guard state.waiting.count < Self.most, state.byteCount + body.count <= Self.mostBytes else {
                return (.tooMany, false)
            }
            state.waiting[header.key.sequence] = request
            state.byteCount += body.count
            state.queue.append((header, body))
            defer { state.isAwake = true }
            return (nil, !state.isAwake)
        }
        if let refusal { request.continuation.resume(returning: refusal) }
        if wakes { wake() }
    }

    /// Lets the event loop receive the requests in its next turn.
    func wake() {
        guard let service = state.withLock({ $0.service }) else { return }
        service.loop.submit(service.drain)
    }

    /// Removes and returns the next request in the queue.
    func next() -> (header: RequestHeader, body: [UInt8], deadline: UInt64)? {
        state.withLock { state in
            while let request = state.queue.popFirst() {
                if let waiting = state.waiting[request.header.key.sequence] {
                    return (request.header, request.body, waiting.deadline)
                }
            }
            state.isAwake = false
            return nil
        }
    }

    func isWaiting(_ key: RequestKey) -> Bool { state.withLock { $0.waiting[key.sequence] != nil } }

    /// Ends a request. Has no effect if the request has ended already.
    func end(_ key: RequestKey, _ outcome: ChannelOutcome) {
        state.withLock { $0.take(key.sequence) }?.resume(returning: outcome)
    }

    /// Ends the requests whose time is over, now and regularly while others wait. Only on the event loop's thread.
    ///
    /// - Parameter isTick: whether the timer calls. Other calls have no effect while the timer runs.
    func endOverdue(isTick: Bool = false) {
        let now = Monotonic.nanoseconds
        let (over, loop) = state.withLock { state -> ([CheckedContinuation<ChannelOutcome, Never>], EventLoop?) in
            guard isTick || !state.isTicking else { return ([], nil) }
            let over = state.waiting.filter { $0.value.deadline <= now }.keys.compactMap { state.take($0) }
            state.isTicking = !state.waiting.isEmpty
            return (over, state.isTicking ? state.service?.loop : nil)
        }
        for continuation in over { continuation.resume(returning: .timedOut) }
        loop?.schedule(after: Self.tick) { [weak self] in self?.endOverdue(isTick: true) }
    }
}

extension RequestServer {
    /// Receives waiting requests of the same process, within the time limit of one turn.
    ///
    /// - Parameters:
    ///   - version: the protocol version in which a request may be forwarded.
    ///   - nanoseconds: stops after so much time.
    public func receiveLocal(version: UInt8, nanoseconds: UInt64, _ handle: (IncomingRequest) -> Void) {
        guard let local else { return }
        defer { local.endOverdue() }
        var begun: UInt64?
        while let (header, body, deadline) = local.next() {
            let now = Monotonic.nanoseconds
            counted.received += 1
            if deadline > now {
                let address = ReplyAddress(
                    connection: [], key: header.key, kind: RequestKind(body: body), received: now, version: version)
                handle(
                    IncomingRequest(
                        address: address, header: header, body: body, remaining: (deadline - now) / 1_000_000, key: nil)
                )
            } else {
                counted.expired += 1
                local.end(header.key, .timedOut)
            }
            let first = begun ?? now
            begun = first
            if now - first >= nanoseconds { return local.wake() }
        }
    }

    /// Answers a request of the same process.
    func answerLocal(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8], _ refusal: ErrorCode?) {
        local?.end(address.key, .answered(header, body: body, unanswered: 0))
        counted.answered += 1
        tally.count(address.kind, refusal, nanoseconds: Monotonic.nanoseconds - address.received)
    }
}
