// SPDX-License-Identifier: Apache-2.0

import Failpoints
import SwiftProtobuf
public import Landmarks
public import WaymarkProtocol
public import ZeroMQ

/// The publishing end of the feeds: an XPUB socket whose subscriptions are the filters.
///
/// Lives on the loop of the actor that owns it. A topic that somebody subscribes to is decoded into its filter, and from
/// then on tried with each change that may concern it, until XPUB tells that the last subscriber has gone: no
/// registration, no lease, one feed for all who ask the same. Every feed numbers what it sends; a beacon, sent once a
/// second and to new subscribers at once, repeats the last number and tells the head. A message that a slow subscriber
/// loses at its high-water mark is thus noticed there, within a beacon, and read from the log. See `Protocol.md`, part
/// The feed.
public final class FeedPublisher {
    /// Feeds at once. A subscriber to one more hears nothing, not even a beacon, and lives on reading the log.
    public static let mostFeeds = 4_096
    /// Bytes of changes that libzmq may hold for all subscribers. The same change counts once, however many it is for.
    package var mostHeld = 256 * 1024 * 1024
    /// What a subscriber sends is no longer than its topic, in this version or a later one. libzmq keeps subscriptions in
    /// a tree with a node for each byte.
    private static let subscriptionBytes = 1_024

    private let socket: Socket
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var gate: ConnectionGate?
    private let held = HeldBytes()
    private var timer: LoopTimer?
    private var incoming = Message()
    private let outbox = Outbox<Void>()
    /// That of everything is always there: an unsubscription is only what a peer says, and may be a lie.
    private var index = FeedIndex()
    private let everything: FeedIndex.Feed
    /// Topics whose new subscribers wait for a beacon, sent once for all who come at about the same time.
    private var welcomes: Set<FeedTopic> = []
    private var welcomeTimer: LoopTimer?
    /// Changes that were committed in this run. A feed that somebody subscribes to begins counting here, so that one
    /// which was dropped and comes back never repeats a number that its subscribers may still expect.
    private var committed: UInt64 = 0

    private let loop: EventLoop
    private let epoch: UUIDv7
    private let run: UUIDv7
    private var head: UInt64
    private var floor: UInt64
    public let endpoint: String
    private var counted = FeedPublisherCounters()
    public var counters: FeedPublisherCounters {
        var counters = counted
        counters.bytesHeld = UInt64(max(0, held.count))
        counters.connections = UInt64(gate?.open ?? 0)
        counters.connectionsTurnedAway = gate?.turnedAway ?? 0
        return counters
    }

    /// - Parameter connections: at once; one more is ended.
    /// - Throws: `ZeroMQError` when the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, epoch: UUIDv7, run: UUIDv7, head: UInt64, floor: UInt64,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds), connections: Int = .max
    ) throws(ZeroMQError) {
        self.loop = loop
        (self.epoch, self.run, self.head, self.floor) = (epoch, run, head, floor)
        everything = FeedIndex.Feed(.everything, n: 0)
        index.insert(everything)
        var options = SocketOptions.service
        options.maxMessageSize = Self.subscriptionBytes
        options.sendHighWaterMark = 4_096
        options.ipv6 = Endpoint.isIPv6(endpoint)
        // Every subscription is seen, also the second one of a topic: each new subscriber gets its beacon at once.
        options.xpubVerbose = true
        socket = try Socket(.xpub, context: context, options: options)
        let bound = try socket.bind(endpoint)
        self.endpoint = bound
        let gate = ConnectionGate(limit: connections, endpoint: bound)
        self.gate = gate
        monitor = try SocketMonitor(socket, on: loop) { event, _ in gate.noticed(event) }
        watch = loop.watch(socket) { [weak self] in self?.hearSubscriptions() }
        timer = loop.schedule(every: beacon) { [weak self] in self?.beat() }
    }

    public func close() {
        timer?.cancel()
        welcomeTimer?.cancel()
        watch?.cancel()
        monitor?.cancel()
        (timer, welcomeTimer, watch, monitor, gate) = (nil, nil, nil, nil, nil)
    }

    /// To be called from time to time.
    public func settle() { gate?.settle() }

    /// Sends what is published within `body` together, and all of it before this returns.
    public func together(_ body: () -> Void) {
        outbox.together(body, flush: flush)
    }

    /// Publishes a change that is durable by now, on every feed that it concerns. In the order of revisions.
    public func publish(_ change: CommittedChange) {
        // Should revisions ever have been committed without being published, the numbers show the hole: on all feeds,
        // for nobody knows which ones they concerned.
        let skipped = change.rev > head ? change.rev - head - 1 : 0
        if skipped > 0 {
            for feed in index.feeds.values { feed.n += skipped }
        }
        head = change.rev
        committed += skipped + 1
        // The numbers go on without it: whoever reads notices the hole, and gets it from the log.
        let isHeldBack = held.count > mostHeld
        if isHeldBack { counted.heldBack += 1 }
        var shared = Frame(isHeldBack ? [] : change.bytes, countedBy: held)
        index.candidates(change) { feed in
            let operation = feed.topic.filter.operation(
                of: change.operation, before: change.before, after: change.after)
            guard let operation else { return }
            if Mutation.isOn(.dropPublished), change.rev % 50 == 0 { return }
            feed.n += 1
            guard !isHeldBack else { return }
            let header = FeedHeader(epoch: epoch, run: run, n: feed.n, rev: change.rev, operation: operation)
            send(feed.topic, header, shared.share())
            counted.published += 1
        }
    }

    /// The log was compacted: from now on beacons tell this floor.
    public func moved(floor: UInt64) { self.floor = floor }

    private func send(_ topic: FeedTopic, _ header: FeedHeader, _ payload: consuming Frame?) {
        topic.bytes.withUnsafeBytes { outbox.append(copying: $0) }
        header.encoded.withUnsafeBytes { outbox.append(copying: $0) }
        if let payload { outbox.append(payload) }
        outbox.endMessage(())
        if outbox.isDue() { flush() }
    }

    /// Sends the messages that are held back.
    public func flush() {
        // An XPUB socket never blocks: it drops what a subscriber's full queue cannot take, and the subscriber finds out
        // by the numbers. So only an error leaves a message unsent.
        try? outbox.flush(to: socket) { _, outcome in
            if outcome == nil { counted.failures += 1 }
        }
    }

    private func beat() {
        for feed in index.feeds.values { beacon(feed) }
    }

    private func beacon(_ feed: FeedIndex.Feed) {
        let head = Mutation.isOn(.beaconAhead) ? head + 1 : head
        send(feed.topic, FeedHeader(epoch: epoch, run: run, n: feed.n, rev: head, floor: floor), nil)
        counted.beacons += 1
    }

    private func hearSubscriptions() {
        defer { counted.feeds = UInt64(index.count) }
        // What is left is heard in the next turn of the loop, after others.
        for _ in 0..<256 {
            guard (try? socket.receive(into: &incoming)) == true else { return }
            let bytes = incoming.bytes(at: 0)
            guard incoming.count == 1, let first = bytes.first, let topic = try? FeedTopic(Array(bytes.dropFirst()))
            else {
                counted.unknownTopics += 1
                continue
            }
            switch first {
            case 1: subscribed(topic)
            case 0 where topic != .everything: index.remove(topic)
            case 0: break
            // XPUB hands up whatever a peer sends, not only subscriptions.
            default: counted.unknownTopics += 1
            }
        }
    }

    private func subscribed(_ topic: FeedTopic) {
        if index[topic] == nil {
            guard index.count < Self.mostFeeds else {
                counted.refusedTopics += 1
                return
            }
            index.insert(FeedIndex.Feed(topic, n: committed))
        }
        counted.subscriptions += 1
        welcomes.insert(topic)
        welcome()
    }

    /// New subscribers learn at once where the feed stands. All who come within a moment share one beacon: one for each
    /// would go to all the others too.
    private func welcome() {
        guard welcomeTimer == nil else { return }
        welcomeTimer = loop.schedule(after: .milliseconds(5)) { [weak self] in
            guard let self else { return }
            welcomeTimer = nil
            for topic in welcomes {
                if let feed = index[topic] { beacon(feed) }
            }
            welcomes.removeAll()
        }
    }
}
