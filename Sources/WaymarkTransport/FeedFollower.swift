// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
import WaymarkProtocol
public import ZeroMQ

/// Follows one feed: adds the SUB socket, the timer and the requests to ``FeedReceiver``, which does no I/O.
///
/// A follower lives on the event loop of the actor that owns it. See `Protocol.md`, part Following.
public final class FeedFollower {
    /// Functions of the owner, which are called on the event loop.
    package struct Hooks {
        /// Requests the changes after a position from the change log, with the same filter. The service may delay the
        /// answer by this many milliseconds, waiting for a newer change. Report the answer with
        /// ``FeedFollower/pulled(_:)``.
        let pull: (Position, UInt32) -> Void
        /// Asks the service for its publisher's address, because a service that was moved publishes elsewhere. Report
        /// the answer with ``FeedFollower/located(_:)``. Called while nothing is received, and not again before the
        /// answer; nil if changes are always published at the same endpoint.
        let locate: (() -> Void)?
        /// Called with each event, in order; never again after ``FeedEvent/ended(_:)``.
        let tell: (FeedEvent) -> Void
    }

    private enum State {
        /// Not subscribed yet.
        case idle
        /// Subscribed, with the timer of the checks for silence.
        case following(FeedSubscription, LoopTimer)
        case over
    }

    package let loop: EventLoop
    private let context: Context
    private let keys: CurveKeyPair?
    private let filter: FeedFilter
    /// The subscribed topic, which contains as much of the filter as fits.
    private let topic: FeedTopic
    let hooks: Hooks
    var receiver: FeedReceiver<FeedMessage>
    var pulse: FeedPulse
    private var state = State.idle
    /// Whether a request for the publisher's address is under way, or the pause after it. Only one is made at a time.
    private var isLocating = false
    /// The number of feed messages that could not be read. Their changes are read from the log.
    package private(set) var unreadable: UInt64 = 0
    /// The oldest revision that the log keeps, according to the latest beacon; 0 before the first beacon.
    public private(set) var floor: UInt64 = 0

    /// - Parameters:
    ///   - keys: the subscriber's own keys, for a publisher that encrypts.
    ///   - filter: selects the changes to report. The topic contains as much of the filter as fits, and the follower
    ///     evaluates the rest.
    ///   - position: the caller's last known position. Later changes are reported.
    package init(
        loop: EventLoop, context: Context, keys: CurveKeyPair? = nil, filter: FeedFilter = .everything,
        from position: Position, timing: Timing = Timing(), hooks: Hooks
    ) {
        (self.loop, self.context, self.keys, self.filter, self.hooks) = (loop, context, keys, filter, hooks)
        topic = FeedTopic(carrying: filter)
        receiver = FeedReceiver(from: position)
        pulse = FeedPulse(timing, now: Monotonic.milliseconds)
    }

    var isOver: Bool { if case .over = state { true } else { false } }
    public var counters: FeedCounters { receiver.counters }
    public var position: Position { receiver.position }
    /// Whether every change that is known to be published was reported.
    public var isCaughtUp: Bool { receiver.isCaughtUp || pulse.hasReadAll }
    /// The number of milliseconds since the last beacon or change.
    package var silence: UInt64 { pulse.silence(Monotonic.milliseconds) }
    /// Milliseconds since the last beacon, change or page of the log, which is the possible age of the reported state.
    public var age: UInt64 { pulse.age(Monotonic.milliseconds) }

    /// Subscribes at an endpoint, and ends the present subscription, if there is one.
    ///
    /// - Throws: `ZeroMQError` if the endpoint is malformed. In this case the present subscription stays.
    public func subscribe(to address: FeedAddress) throws(ZeroMQError) {
        var before: FeedSubscription?
        if case .following(let subscription, _) = state { before = subscription }
        let new = try FeedSubscription(
            topic, at: address, loop: loop, context: context, keys: keys, after: before
        ) { [weak self] header, content in
            self?.heard(header, content)
        }
        before?.close()
        switch state {
        case .idle:
            let timer = loop.schedule(every: .milliseconds(pulse.timing.look)) { [weak self] in self?.lookForSilence() }
            state = .following(new, timer)
        case .following(_, let timer): state = .following(new, timer)
        case .over: new.close()
        }
    }

    /// Reads the log after the current position, without waiting for a message of the feed.
    public func poll() { perform(receiver.poll()) }

    /// Stops reporting changes until ``release()``, because the consumer's queue is full.
    public func hold() { receiver.hold() }

    public func release() { perform(receiver.release()) }

    public func close() {
        if case .following(let subscription, let timer) = state {
            timer.cancel()
            subscription.close()
        }
        state = .over
    }

    private func heard(_ header: FeedHeader, _ content: FeedSubscription.Content) {
        pulse.heard(Monotonic.milliseconds)
        switch content {
        case .change(let change):
            let message = FeedMessage(change: change, operation: header.operation)
            if receiver.passes(header) {
                if !isOver { hand(on: message, header.rev) }
            } else {
                perform(receiver.change(header, message, bytes: change.bytes.count))
            }
        // A missing message breaks the feed's numbering, so the receiver reads the change from the log.
        case .unreadable: unreadable += 1
        case .beacon:
            floor = header.floor
            perform(receiver.beacon(header))
        }
    }

    /// Checks for silence. If no beacons arrive, the connection may be half-open, that is, broken although neither side
    /// was notified. In this case the subscription is renewed, and the log is read by requests until beacons arrive
    /// again.
    private func lookForSilence() {
        guard case .following(let subscription, _) = state, pulse.triesAgain(Monotonic.milliseconds) else { return }
        let loss = subscription.loss
        // libzmq accepted this endpoint before, so `subscribe` can fail only for lack of sockets. The next check then
        // tries again.
        try? subscribe(to: subscription.address)
        perform(receiver.silence(), loss)
    }

    /// Carries out what the receiver asks for.
    ///
    /// - Parameter loss: the reason why nothing is received, if known.
    func perform(_ actions: [FeedReceiver<FeedMessage>.Action], _ loss: FeedLoss? = nil) {
        for action in actions where !isOver {
            switch action {
            case .deliver(let rev, let message): hand(on: message, rev)
            case .reached(let rev): hooks.tell(.reached(rev: rev))
            case .pull(let position): hooks.pull(position, pulse.pulls(Monotonic.milliseconds))
            case .lost:
                pulse.lost()
                if let loss { hooks.tell(.lost(loss)) }
                lookForPublisher()
            case .gap(let rev): hooks.tell(.gap(rev: rev))
            case .resumed(let rev, let replayed): hooks.tell(.resumed(rev: rev, replayed: replayed))
            case .epochChanged:
                end(
                    ServiceError(
                        .epochChanged,
                        "The history has changed (a backup was restored, or the log was cut): begin with a snapshot."))
            }
        }
    }

    private func hand(on message: FeedMessage, _ rev: UInt64) {
        do throws(InvalidInput) {
            // The publisher evaluated the filter in the topic, which may admit more than `filter`.
            let operation =
                if topic.isExact(for: filter), let operation = message.operation { operation } else {
                    try filter.operation(of: message.change)
                }
            hooks.tell(operation.map { .change(message.change, $0) } ?? .reached(rev: rev))
        } catch {
            end(
                ServiceError(
                    .protocolVersion,
                    "Revision \(rev) cannot be understood (\(error)): bring this program to the service's release."))
        }
    }

    /// Subscribes at another address if changes are now published there. Call it on the event loop.
    ///
    /// - Parameter run: the run of the storage that answers the pulls from now on; nil if unknown.
    public func move(to address: FeedAddress, answeredBy run: UUIDv7? = nil) {
        if let run { perform(receiver.answered(by: run)) }
        guard !isOver, !address.endpoint.isEmpty else { return }
        if case .following(let subscription, _) = state, subscription.address == address { return }
        // If the endpoint is malformed, or no socket can be opened, `locate` is called again after a silence.
        try? subscribe(to: address)
    }

    /// Handles the answer to `locate`. The address is nil if there was no answer. Call it on the event loop.
    public func located(_ address: FeedAddress?) {
        isLocating = false
        guard !isOver, pulse.isLost else { return }
        if let address { move(to: address) }
        isLocating = true
        loop.schedule(after: .milliseconds(pulse.timing.locatePause)) { [weak self] in
            self?.isLocating = false
            self?.lookForPublisher()
        }
    }

    /// Asks for the publisher's address, repeatedly until a message of the feed arrives.
    private func lookForPublisher() {
        guard let locate = hooks.locate, !isOver, pulse.isLost, !isLocating else { return }
        isLocating = true
        locate()
    }

    func end(_ error: ServiceError) {
        guard !isOver else { return }
        close()
        hooks.tell(.ended(error))
    }
}
