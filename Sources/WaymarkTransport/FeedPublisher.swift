// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
public import WaymarkProtocol
public import ZeroMQ

/// Publishes the feeds on an XPUB socket, whose subscriptions are the filters.
///
/// A publisher lives on the event loop of the actor that owns it. The topic of a new subscription is decoded into its
/// filter. From then on the filter is evaluated for each change that it may contain, until the XPUB socket reports that
/// the last subscriber has gone. So there is no registration and no lease, and all subscribers of one topic share a
/// feed.
///
/// Every feed numbers its changes. A beacon repeats the latest number and names the newest revision; the publisher
/// sends it once a second, and at once to new subscribers. If the queue of a slow subscriber was full and lost a
/// message, the subscriber notices that at the next beacon, and reads the change from the log. ``FeedSender`` decides
/// when messages are sent. See `Protocol.md`, part The feed.
public final class FeedPublisher {
    /// The maximum number of feeds. Subscribers to further topics receive not even beacons, and read the log instead.
    public static let mostFeeds = 32_768
    /// The maximum size of a subscription in bytes, larger than any topic of this version. libzmq keeps subscriptions
    /// in a tree with a node for each byte, so long subscriptions would take much memory.
    private static let subscriptionBytes = 1_024

    let listener: Listener
    package let sender: FeedSender
    private var timer: LoopTimer?
    /// The part of the feeds that was last sent beacons.
    private var part = 0
    var incoming = Message()
    var index = FeedIndex()
    /// The topics with new subscribers that have not received their first beacon yet.
    var welcomes: Set<FeedTopic> = []
    var welcomeTimer: LoopTimer?
    /// Whether to send no beacons, because the publisher itself no longer receives changes.
    public var isSilent = false
    /// The connections of the subscribers, if they have keys.
    var subscribers: SubscriberTable?
    var counted = FeedPublisherCounters()

    /// The endpoint that the socket is bound to.
    public var endpoint: String { listener.endpoint }
    var loop: EventLoop { sender.loop }
    public var counters: FeedPublisherCounters {
        var counters = counted
        counters.failures = sender.failures
        counters.bytesHeld = sender.bytesHeld
        counters.connections = listener.connections
        counters.connectionsTurnedAway = listener.turnedAway
        return counters
    }

    /// - Parameters:
    ///   - rule: the maximum number of connections, and how subscribers prove their identity.
    ///   - owner: returns the owner of a key, to whose share the key's connections and topics count; nil if the key may
    ///     not subscribe now.
    /// - Throws: `ZeroMQError` if the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, numbering: FeedNumbering,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds), rule: ConnectionRule = ConnectionRule(),
        owner: @escaping (CurveKey) -> FeedOwner? = { _ in .service }
    ) throws(ZeroMQError) {
        // The feed of all changes is never removed, because a peer may unsubscribe from it while others are subscribed.
        index.insert(FeedIndex.Feed(.everything, n: 0))
        var options = SocketOptions.service
        options.maxMessageSize = Self.subscriptionBytes
        options.sendHighWaterMark = 4_096
        options.ioThread = IOThreads.others
        // Report every subscription, not only the first of a topic, so that each new subscriber gets its beacon.
        options.xpubVerbose = true
        listener = try Listener(.xpub, at: endpoint, loop: loop, context: context, options: options, rule: rule)
        sender = FeedSender(listener, numbering, loop: loop)
        if rule.security != nil {
            subscribers = SubscriberTable(connections: rule.most, topics: Self.mostFeeds, owner)
        }
        listener.onEvent = { [weak self] event, isNew in self?.noticed(event, isNew) }
        listener.start(on: loop) { [weak self] in self?.hearSubscriptions() }
        timer = loop.schedule(every: beacon / FeedIndex.parts) { [weak self] in self?.beat() }
    }

    public func close() {
        sender.flush()
        timer?.cancel()
        welcomeTimer?.cancel()
        listener.close()
    }

    /// Resumes normal operation once a shortage of file descriptors is over. Call it about once a second.
    public func settle() { listener.gate?.settle() }

    /// Publishes a durable change on every feed that contains it. Call it in the order of revisions.
    ///
    /// A change that this version cannot read is counted and left out, so that subscribers notice the gap and read the
    /// log.
    public func publish(_ change: EncodedChange) {
        let skipped = sender.numbering.change(change.rev)
        if skipped > 0 {
            // The changes of a batch must have consecutive numbers.
            sender.flush()
            for feed in index.feeds.values { feed.n += skipped }
        }
        guard let (kind, subjects) = try? change.known() else {
            counted.heldBack += 1
            sender.flush()
            // The unreadable change may belong to any feed.
            for feed in index.feeds.values { feed.n += 1 }
            return
        }
        // A change that is held back still counts in the feeds' numbers, so that subscribers notice the gap and read
        // the log.
        let isHeldBack = sender.isFull
        if isHeldBack {
            counted.heldBack += 1
            sender.flush()
        }
        index.candidates(subjects) { feed in
            let operation = feed.topic.filter.operation(of: kind, before: subjects.before, after: subjects.after)
            guard let operation else { return }
            feed.n += 1
            guard !isHeldBack else { return }
            counted.published += 1
            sender.gather(change, operation, feed)
        }
        sender.settle()
    }

    /// Runs `body`, and sends the changes published by it together, either before returning or after a pause.
    public func together(_ body: () -> Void) { sender.together(body) }

    /// Sends all published changes that wait.
    public func flush() { sender.flush() }

    /// Sets the floor (the oldest revision of the log) that beacons name, after the log was compacted.
    public func moved(floor: UInt64) { sender.numbering.moved(floor: floor) }

    /// Restarts the numbering of the feeds. Changes published before are sent first.
    public func begin(_ numbering: FeedNumbering) {
        sender.flush()
        sender.numbering = numbering
        for feed in index.feeds.values { feed.n = numbering.count }
    }

    /// Continues the feeds after storage has restarted, which began another run.
    public func resume(in run: UUIDv7) {
        sender.flush()
        sender.numbering.resume(in: run)
    }

    /// Sends the beacons of one part of the feeds, because those of ten thousand feeds at once would delay changes.
    private func beat() {
        part = (part + 1) % FeedIndex.parts
        // A beacon names the newest revision, so all changes up to it have to be sent first.
        sender.flush()
        sender.together {
            for feed in index.feeds.values where feed.part == part { beacon(feed) }
        }
    }

    func beacon(_ feed: FeedIndex.Feed) {
        guard !isSilent else { return }
        counted.beacons += 1
        let header = sender.numbering.beacon(n: feed.n)
        sender.send(header, feed)
    }
}
