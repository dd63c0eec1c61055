// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
import SwiftProtobuf
import WaymarkProtocol
public import ZeroMQ

/// Follows one feed: the SUB socket, the timer and the reads of the log around the pure ``FeedReceiver``.
///
/// It lives on the loop of the actor that owns it. See `Protocol.md`, part Following.
public final class FeedFollower {
    let loop: EventLoop
    private let context: Context
    private let keys: CurveKeyPair?
    private let filter: FeedFilter
    private let topic: FeedTopic
    let timing: Timing
    private let pull: (Position, UInt32) -> Void
    private let locate: (() -> Void)?
    let tell: (FeedEvent) -> Void
    var receiver: FeedReceiver<FeedMessage>
    private var subscription: FeedSubscription?
    private var timer: LoopTimer?
    private var lastHeard: UInt64
    private var lastTried: UInt64 = 0
    var lastPull: UInt64 = 0
    var lastPage: UInt64 = 0
    /// Whether the latest page went to the end of the log.
    var isAtEnd = false
    private var address: FeedAddress?
    var isOver = false
    /// Messages of the feed that could not be read. Their changes are read from the log.
    public private(set) var unreadable: UInt64 = 0

    /// Whether the question where changes are published is under way, or waits for its pause to end. There is never more
    /// than one.
    private var isLocating = false
    var isLost = false
    /// Whether a message has come from the present address.
    private var isHeard = false

    /// - Parameters:
    ///   - keys: the subscriber's own, for a publisher that encrypts.
    ///   - filter: the changes that are reported. The topic carries as much of it as fits; the follower evaluates the
    ///     rest.
    ///   - position: the last position that the caller has seen.
    ///   - pull: requests the changes after a position from the change log, with the same filter. The answer may wait so
    ///     many milliseconds for something newer. Report it with ``pulled(_:)``.
    ///   - locate: asks where changes are published, because a service that was moved publishes elsewhere. Report the
    ///     answer with ``located(_:)``. Called while nothing is received, one question at a time; nil if changes are
    ///     always published at the same endpoint.
    ///   - tell: called on the loop, in order; never again after ``FeedEvent/ended(_:)``.
    package init(
        loop: EventLoop, context: Context, keys: CurveKeyPair? = nil, filter: FeedFilter = .everything,
        from position: Position, timing: Timing = Timing(), pull: @escaping (Position, UInt32) -> Void,
        locate: (() -> Void)? = nil, tell: @escaping (FeedEvent) -> Void
    ) {
        (self.loop, self.context, self.keys, self.filter, self.timing) = (loop, context, keys, filter, timing)
        (self.pull, self.locate, self.tell) = (pull, locate, tell)
        topic = FeedTopic(carrying: filter)
        receiver = FeedReceiver(from: position)
        lastHeard = Monotonic.milliseconds
    }

    public var counters: FeedCounters { receiver.counters }
    public var position: Position { receiver.position }
    /// Whether everything that is known to have been published was reported. While nothing is received the log tells that.
    public var isCaughtUp: Bool { receiver.isCaughtUp || isLost && isAtEnd }
    /// The oldest revision that the log keeps, by the latest beacon; 0 before the first one.
    public private(set) var floor: UInt64 = 0
    /// Milliseconds since the last beacon or change.
    public var silence: UInt64 { Monotonic.milliseconds - lastHeard }
    /// Milliseconds since the last beacon, change or page of the log: how old what was reported may be.
    public var age: UInt64 { Monotonic.milliseconds - max(lastHeard, lastPage) }

    /// Subscribes, or ends the present subscription and subscribes at another endpoint.
    ///
    /// - Throws: `ZeroMQError` if the endpoint is malformed.
    public func subscribe(to address: FeedAddress) throws(ZeroMQError) {
        // Made first: after a malformed endpoint the present subscription stays.
        var security: SocketSecurity?
        if let key = address.key {
            // A publisher that encrypts refuses whoever has no key; a key of the moment meets the same refusal.
            let own: CurveKeyPair
            if let keys { own = keys } else { own = try CurveKeyPair.generate() }
            security = .curveClient(serverKey: key, keys: own)
        }
        let new = try FeedSubscription(
            loop: loop, context: context, endpoint: address.endpoint, topic: topic.inForm(address.form),
            security: security
        ) {
            [weak self] header, content in self?.heard(header, content)
        }
        subscription?.close()
        if self.address != address { isHeard = false }
        (subscription, self.address) = (new, address)
        if timer == nil {
            timer = loop.schedule(every: .milliseconds(timing.look)) { [weak self] in self?.tick() }
        }
    }

    /// Reads the log from the position on without waiting for a message of the feed.
    public func poll() { perform(receiver.poll()) }

    /// Stops reporting changes until ``release()``, because the consumer has a full queue.
    public func hold() { receiver.hold() }

    public func release() { perform(receiver.release()) }

    public func close() {
        isOver = true
        timer?.cancel()
        timer = nil
        subscription?.close()
        subscription = nil
    }

    private func heard(_ header: FeedHeader, _ content: FeedSubscription.Content) {
        lastHeard = Monotonic.milliseconds
        (isLost, isHeard) = (false, true)
        switch content {
        case .change(let change):
            let message = FeedMessage(change: change, operation: header.operation)
            if receiver.passes(header) {
                if !isOver { hand(on: message, header.rev) }
            } else {
                perform(receiver.change(header, message, bytes: change.bytes.count))
            }
        // Skipping it breaks the chain, so the receiver reads the change from the log.
        case .unreadable: unreadable += 1
        case .beacon:
            floor = header.floor
            perform(receiver.beacon(header))
        }
    }

    /// When no beacon arrives, the connection may be broken although neither end was notified (a half-open connection).
    /// Then the subscription is made anew and the log is read by requests, until beacons arrive again.
    private func tick() {
        guard !isOver, silence > timing.patience else { return }
        let now = Monotonic.milliseconds
        guard now - lastTried > timing.patience, let address else { return }
        lastTried = now
        let loss = FeedLoss(
            endpoint: address.endpoint, cause: FeedLoss.Cause(subscription?.reach, wasHeard: isHeard))
        // libzmq accepted this endpoint before, so only a shortage of sockets can refuse it; the next tick tries again.
        try? subscribe(to: address)
        perform(receiver.silence(), loss)
    }

    /// - Parameter loss: what is known where nothing is received.
    func perform(_ actions: [FeedReceiver<FeedMessage>.Action], _ loss: FeedLoss? = nil) {
        for action in actions where !isOver {
            switch action {
            case .deliver(let rev, let message): hand(on: message, rev)
            case .reached(let rev): tell(.reached(rev: rev))
            case .pull(let position):
                lastPull = Monotonic.milliseconds
                pull(position, isLost ? timing.wait : 0)
            case .lost:
                isLost = true
                if let loss { tell(.lost(loss)) }
                lookForPublisher()
            case .gap(let rev): tell(.gap(rev: rev))
            case .resumed(let rev, let replayed): tell(.resumed(rev: rev, replayed: replayed))
            case .epochChanged:
                end(
                    ServiceError(
                        .epochChanged,
                        "The history is another one now (a backup was restored, or the log was cut): begin with a "
                            + "snapshot."))
            }
        }
    }

    private func hand(on message: FeedMessage, _ rev: UInt64) {
        do throws(InvalidInput) {
            // The publisher evaluated the topic's filter, which may be wider than this one.
            let operation =
                if topic.isExact(for: filter), let operation = message.operation { operation } else {
                    try filter.operation(of: message.change)
                }
            tell(operation.map { .change(message.change, $0) } ?? .reached(rev: rev))
        } catch {
            end(
                ServiceError(
                    .protocolVersion,
                    "Revision \(rev) cannot be understood (\(error)): bring this program to the service's release."))
        }
    }

    /// Follows the feed elsewhere, if changes are published elsewhere now. Call it on the loop.
    public func move(to address: FeedAddress) {
        guard !isOver, !address.endpoint.isEmpty, address != self.address else { return }
        // If the endpoint is malformed, or no socket is left, the question is repeated after a silence.
        try? subscribe(to: address)
    }

    /// Reports the answer to `locate`: where changes are published, or nil if there was no answer. Call it on the loop.
    public func located(_ address: FeedAddress?) {
        isLocating = false
        guard !isOver, isLost else { return }
        if let address { move(to: address) }
        isLocating = true
        loop.schedule(after: .milliseconds(timing.locatePause)) { [weak self] in
            self?.isLocating = false
            self?.lookForPublisher()
        }
    }

    /// Asks where changes are published, again and again until a message of the feed arrives.
    private func lookForPublisher() {
        guard let locate, !isOver, isLost, !isLocating else { return }
        isLocating = true
        locate()
    }

    func end(_ error: ServiceError) {
        guard !isOver else { return }
        close()
        tell(.ended(error))
    }
}
