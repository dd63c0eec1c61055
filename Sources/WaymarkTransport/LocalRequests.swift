// SPDX-License-Identifier: Apache-2.0

import Synchronization
import WaymarkProtocol
public import ZeroMQ

/// Requests of clients in the same process, which reach a service without a socket. They may come from any thread.
///
/// The service's event loop takes them from a queue, and handles them as it handles the requests from its socket. The
/// queue has the limits of a ``RequestChannel``. Every request ends soon after its deadline, even if the loop hangs.
public final class LocalRequests: Sendable {
    /// The interval of the checks for requests whose time is over.
    private static let tick = Duration.milliseconds(50)

    private struct Question {
        let header: RequestHeader
        let body: [UInt8]
        let continuation: CheckedContinuation<ChannelOutcome, Never>
    }

    private struct State {
        /// Sends no request again, because nothing is lost on the way.
        var schedule = RequestSchedule<Question>(policy: ResendPolicy(pause: .max, doublings: 0))
        /// The event loop, and the function that receives the requests there; nil unless the service runs.
        var service: (loop: EventLoop, drain: @Sendable () -> Void)?
        /// Whether `drain` was submitted to the event loop and has not emptied the queue since.
        var isAwake = false
        var isTicking = false
    }

    private let state = Locked(State())
    private let client = RequestNumbers().client
    private let last = Atomic<UInt64>(0)

    public init() {}

    /// Begins to accept requests. `drain` is called on the event loop, and has to receive the requests.
    public func start(on loop: EventLoop, _ drain: @escaping @Sendable () -> Void) {
        state.withLock { state in
            (state.service, state.isAwake) = ((loop, drain), false)
            state.schedule.connect()
        }
    }

    /// Ends all requests with ``ChannelOutcome/notConnected``, and accepts no more.
    func close() {
        let left = state.withLock { state in
            state.service = nil
            return state.schedule.endAll().map(\.request.continuation)
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
        let deadline = Monotonic.milliseconds + min(milliseconds, UInt64(WaymarkProtocol.timeoutMilliseconds))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ChannelOutcome, Never>) in
                var header = header
                header.key = key
                add(Question(header: header, body: body, continuation: continuation), deadline)
                // The task may have been cancelled before the request was there.
                if Task.isCancelled { end(key, .cancelled(copies: 1)) }
            }
        } onCancel: {
            end(key, .cancelled(copies: 1))
        }
    }

    private func add(_ question: Question, _ deadline: UInt64) {
        let (refusal, wakes, ticks) = state.withLock { state -> (ChannelOutcome?, Bool, Bool) in
            guard state.service != nil else { return (.notConnected, false, false) }
            let (key, size) = (question.header.key, question.body.count)
            guard state.schedule.add(key, question, bytes: size, deadline: deadline) == .added else {
                return (.tooMany, false, false)
            }
            defer { (state.isAwake, state.isTicking) = (true, true) }
            return (nil, !state.isAwake, !state.isTicking)
        }
        if let refusal { question.continuation.resume(returning: refusal) }
        if wakes { wake() }
        if ticks { Task { await tick() } }
    }

    /// Lets the event loop receive the requests in its next turn.
    func wake() {
        guard let service = state.withLock({ $0.service }) else { return }
        service.loop.submit(service.drain)
    }

    /// Removes the next request from the queue, and returns it with the milliseconds that are left to answer it. Skips
    /// requests whose time is over.
    func next(_ now: UInt64) -> (header: RequestHeader, body: [UInt8], remaining: UInt64)? {
        state.withLock { state in
            guard let entry = state.schedule.next(now) else {
                state.isAwake = false
                return nil
            }
            state.schedule.sent(entry, at: now)
            return (entry.request.header, entry.request.body, UInt64(entry.left(at: now)))
        }
    }

    func isWaiting(_ key: RequestKey) -> Bool { state.withLock { $0.schedule[key] != nil } }

    /// Ends a request. Has no effect if the request has ended already.
    func end(_ key: RequestKey, _ outcome: ChannelOutcome) {
        state.withLock { $0.schedule.end(key)?.request.continuation }?.resume(returning: outcome)
    }

    /// Ends the requests whose time is over, until none waits. Not on the event loop, which may hang.
    private func tick() async {
        var waits = true
        while waits {
            try? await Task.sleep(for: Self.tick)
            let over = state.withLock { state in
                defer {
                    waits = !state.schedule.isEmpty
                    state.isTicking = waits
                }
                return state.schedule.look(Monotonic.milliseconds).map { $0.entry.request.continuation }
            }
            for continuation in over { continuation.resume(returning: .timedOut) }
        }
    }
}

extension RequestServer {
    /// Receives waiting requests of the same process, within the time limit of one turn.
    ///
    /// - Parameters:
    ///   - version: the protocol version in which a request may be forwarded.
    ///   - nanoseconds: stops after so much time.
    public func receiveLocal(version: UInt8, nanoseconds: UInt64, _ handle: (IncomingRequest) -> Void) {
        let begun = Monotonic.nanoseconds
        var now = begun
        while let (header, body, remaining) = local?.next(now / 1_000_000) {
            counted.received += 1
            let address = ReplyAddress(
                connection: [], key: header.key, kind: RequestKind(body: body), received: now, version: version)
            handle(IncomingRequest(address: address, header: header, body: body, remaining: remaining, key: nil))
            now = Monotonic.nanoseconds
            if now - begun >= nanoseconds { return local?.wake() ?? () }
        }
    }
}
