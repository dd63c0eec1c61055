// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol
public import ZeroMQ

/// Follows one feed: the SUB socket, the clock and the pulls around the pure ``FeedReceiver``.
///
/// Lives on the loop of the actor that owns it. See `Protocol.md`, part Following.
public final class FeedFollower {
    private let loop: EventLoop
    private let context: Context
    private let filter: FeedFilter
    private let topic: FeedTopic
    private let timing: Timing
    private let pull: (Position) -> Void
    private let locate: (() -> Void)?
    private let tell: (FeedEvent) -> Void
    private var receiver: FeedReceiver<FeedMessage>
    private var subscription: FeedSubscription?
    private var timer: LoopTimer?
    private var lastHeard: UInt64
    private var lastTried: UInt64 = 0
    private var endpoint: String?
    private var isOver = false
    /// Messages on the feed that could not be read. What they carried is read from the log.
    public private(set) var unreadable: UInt64 = 0

    /// Whether it is being asked where changes are published, or will be after a pause: never twice at a time.
    private var isLocating = false
    private var isLost = false

    /// How long it waits for what, in milliseconds. Other times are for tests.
    package struct Timing {
        /// Without a message for so long, the publisher counts as away.
        package var patience = UInt64(WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
        /// Between two looks at the clock.
        package var look: UInt64 = 500
        /// Until a pull that failed, or brought nothing, is tried again.
        package var retryPause: UInt64 = 250
        /// Between two questions where changes are published.
        package var locatePause: UInt64 = 1_000

        package init() {}
    }

    /// - Parameters:
    ///   - filter: what is told. The topic carries it as far as it can; the rest is decided here.
    ///   - position: the last one that was seen.
    ///   - pull: asks the change log, with the same filter, for what follows a position; the answer goes to
    ///     ``pulled(_:)``.
    ///   - locate: asks where changes are published, for a service that was moved publishes elsewhere; the answer goes
    ///     to ``located(_:)``. Called while nothing is heard, one question at a time. Nil: always at the same place.
    ///   - tell: called on the loop, in order; never again after ``FeedEvent/ended(_:)``.
    public convenience init(
        loop: EventLoop, context: Context, filter: FeedFilter = .everything, from position: Position,
        pull: @escaping (Position) -> Void, locate: (() -> Void)? = nil, tell: @escaping (FeedEvent) -> Void
    ) {
        self.init(
            loop: loop, context: context, filter: filter, from: position, timing: Timing(), pull: pull, locate: locate,
            tell: tell)
    }

    package init(
        loop: EventLoop, context: Context, filter: FeedFilter, from position: Position, timing: Timing,
        pull: @escaping (Position) -> Void, locate: (() -> Void)?, tell: @escaping (FeedEvent) -> Void
    ) {
        (self.loop, self.context, self.filter, self.timing) = (loop, context, filter, timing)
        (self.pull, self.locate, self.tell) = (pull, locate, tell)
        topic = FeedTopic(carrying: filter)
        receiver = FeedReceiver(from: position)
        lastHeard = Monotonic.milliseconds
    }

    public var counters: FeedCounters { receiver.counters }
    public var position: Position { receiver.position }
    public var isCaughtUp: Bool { receiver.isCaughtUp }
    /// The oldest revision that can be asked for, as the last beacon told; 0: none has.
    public private(set) var floor: UInt64 = 0
    /// Milliseconds since the last beacon or change.
    public var silence: UInt64 { Monotonic.milliseconds - lastHeard }

    /// Subscribes, or subscribes anew elsewhere.
    ///
    /// - Throws: `ZeroMQError` when `endpoint` is not one.
    public func subscribe(to endpoint: String) throws(ZeroMQError) {
        subscription?.close()
        subscription = nil
        self.endpoint = endpoint
        subscription = try FeedSubscription(loop: loop, context: context, endpoint: endpoint, topic: topic) {
            [weak self] header, payload in self?.heard(header, payload)
        }
        if timer == nil {
            timer = loop.schedule(every: .milliseconds(timing.look)) { [weak self] in self?.tick() }
        }
    }

    /// Reads the log from the position on, without waiting for the feed.
    public func poll() { perform(receiver.poll()) }

    /// Tells nothing more until ``release()``.
    public func hold() { receiver.hold() }

    public func release() { perform(receiver.release()) }

    public func close() {
        isOver = true
        timer?.cancel()
        timer = nil
        subscription?.close()
        subscription = nil
    }

    private func heard(_ header: FeedHeader, _ payload: [UInt8]?) {
        lastHeard = Monotonic.milliseconds
        isLost = false
        if let payload {
            guard let change = ReceivedChange(payload) else {
                // Passing it over breaks the chain, and the log is asked for it.
                unreadable += 1
                return
            }
            let message = FeedMessage(change, told: header.operation)
            if receiver.passes(header) {
                if !isOver { hand(on: message, header.rev) }
            } else {
                perform(receiver.change(header, message, bytes: payload.count))
            }
        } else {
            floor = header.floor
            perform(receiver.beacon(header))
        }
    }

    /// When beacons stay away the way may be cut without anybody being told (a half-open connection): the log is read
    /// by the other way, and the subscription is made anew, until beacons come again.
    private func tick() {
        guard !isOver, silence > timing.patience else { return }
        let now = Monotonic.milliseconds
        guard now - lastTried > timing.patience, let endpoint else { return }
        lastTried = now
        // An endpoint that was one before is one still.
        try? subscribe(to: endpoint)
        perform(receiver.silence())
    }

    private func perform(_ actions: [FeedReceiver<FeedMessage>.Action]) {
        for action in actions where !isOver {
            switch action {
            case .deliver(let rev, let message): hand(on: message, rev)
            case .reached(let rev): tell(.reached(rev: rev))
            case .pull(let position): pull(position)
            case .lost:
                isLost = true
                tell(.lost)
                lookForPublisher()
            case .gap(let rev): tell(.gap(rev: rev))
            case .resumed(let rev, let replayed): tell(.resumed(rev: rev, replayed: replayed))
            case .epochChanged:
                end(
                    ServiceError(
                        .epochChanged,
                        "The history is another one now (a backup was put back, or the log was cut): begin with a "
                            + "snapshot."))
            }
        }
    }

    private func hand(on message: FeedMessage, _ rev: UInt64) {
        do throws(InvalidInput) {
            // What the publisher told was decided by the topic's filter, which may be wider.
            let operation =
                if topic.isExact(for: filter), let told = message.told { told } else {
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

    /// What the change log answered to the last pull. Called on the loop.
    public func pulled(_ result: Result<PulledPage, ServiceError>) {
        guard !isOver else { return }
        switch result {
        case .success(let page):
            let before = receiver.position.rev
            perform(receiver.page(changes: page.changes, through: page.through, run: page.run))
            // A page that did not move the position is asked for again after a pause, not in a tight circle.
            if receiver.position.rev == before, !receiver.isCaughtUp { retryLater() }
        case .failure(let error):
            receiver.pullFailed()
            switch error.code {
            // The same question would get the same answer.
            case .compacted, .epochChanged, .futureRevision, .denied, .protocolVersion, .invalid, .tooLarge, .badFrame,
                .unknownCommand:
                end(error)
            default: retryLater(after: UInt64(error.retryAfter))
            }
        }
    }

    /// Where changes are published, as `locate` has learnt it; nil: nobody has told. Called on the loop.
    public func located(_ endpoint: String?) {
        isLocating = false
        guard !isOver, isLost else { return }
        if let endpoint, !endpoint.isEmpty, endpoint != self.endpoint {
            // One that cannot be used is asked about again.
            try? subscribe(to: endpoint)
        }
        isLocating = true
        loop.schedule(after: .milliseconds(timing.locatePause)) { [weak self] in
            self?.isLocating = false
            self?.lookForPublisher()
        }
    }

    /// The publisher may be away for long: it goes on until the feed is heard again.
    private func lookForPublisher() {
        guard let locate, !isOver, isLost, !isLocating else { return }
        isLocating = true
        locate()
    }

    private func retryLater(after milliseconds: UInt64 = 0) {
        let pause = Duration.milliseconds(max(timing.retryPause, milliseconds))
        loop.schedule(after: pause) { [weak self] in
            guard let self, !self.isOver else { return }
            self.perform(self.receiver.retry())
        }
    }

    private func end(_ error: ServiceError) {
        guard !isOver else { return }
        close()
        tell(.ended(error))
    }
}
