// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
import SwiftProtobuf
public import Landmarks
public import WaymarkProtocol
public import ZeroMQ

/// The publishing end of the feeds: an XPUB socket whose subscriptions are the filters.
///
/// It lives on the loop of the actor that owns it. The topic of a new subscription is decoded into its filter. From then
/// on the filter is tried with each change that it may contain, until the XPUB socket reports that the last subscriber has
/// gone. So there is no registration and no lease, and all subscribers of one topic share a feed.
///
/// Every feed numbers its changes. A beacon repeats the latest number and names the head; it is sent once a second, and
/// at once to new subscribers. So a slow subscriber, whose queue was full and lost a message, notices that with the next
/// beacon and reads the change from the log. ``FeedSender`` says when messages leave. See `Protocol.md`, part The feed.
public final class FeedPublisher {
    /// The most feeds at once. A subscriber to a further one receives nothing, not even a beacon, and reads the log instead.
    public static let mostFeeds = 4_096
    /// The largest subscription, which is longer than any topic of this version. libzmq keeps subscriptions in a tree with
    /// a node for each byte, so long ones would take much memory.
    private static let subscriptionBytes = 1_024

    let listener: Listener
    package let sender: FeedSender
    private var timer: LoopTimer?
    var incoming = Message()
    var index = FeedIndex()
    /// Topics with new subscribers that have not had their beacon yet.
    var welcomes: Set<FeedTopic> = []
    var welcomeTimer: LoopTimer?
    /// Whether it sends no beacons, because what it publishes comes from elsewhere and nothing arrives from there.
    public var isSilent = false
    /// Who is subscribed by which connection, where subscribers have keys.
    var subscribers: SubscriberTable?
    var counted = FeedPublisherCounters()

    /// The endpoint that it is bound to.
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
    ///   - rule: how many subscribers may connect, and how they prove who they are.
    ///   - owner: whose a key is, and so whose share its connections and topics count to; nil: it may not subscribe now.
    /// - Throws: `ZeroMQError` if the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, numbering: FeedNumbering,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds), rule: ConnectionRule = ConnectionRule(),
        owner: @escaping (CurveKey) -> FeedOwner? = { _ in .service }
    ) throws(ZeroMQError) {
        // The feed of everything is never removed: a peer may send an unsubscription although others are subscribed.
        index.insert(FeedIndex.Feed(.everything, n: 0))
        var options = SocketOptions.service
        options.maxMessageSize = Self.subscriptionBytes
        options.sendHighWaterMark = 4_096
        options.ioThread = IOThreads.others
        // Reports every subscription, not only the first one of a topic, so that each new subscriber gets its beacon.
        options.xpubVerbose = true
        listener = try Listener(.xpub, at: endpoint, loop: loop, context: context, options: options, rule: rule)
        sender = FeedSender(listener, numbering, loop: loop)
        if rule.security != nil {
            subscribers = SubscriberTable(connections: rule.most, topics: Self.mostFeeds, owner)
        }
        listener.onEvent = { [weak self] event, isNew in self?.noticed(event, isNew) }
        listener.start(on: loop) { [weak self] in self?.hearSubscriptions() }
        timer = loop.schedule(every: beacon) { [weak self] in self?.beat() }
    }

    public func close() {
        sender.flush()
        timer?.cancel()
        welcomeTimer?.cancel()
        listener.close()
    }

    /// Recovers from a shortage of file descriptors when it is over. Call it about once a second.
    public func settle() { listener.gate?.settle() }

    /// Publishes a durable change on every feed that contains it. Call it in the order of revisions.
    ///
    /// One that this version cannot read is counted and left out, so that subscribers see the hole and read the log.
    public func publish(_ change: EncodedChange) {
        let skipped = sender.numbering.change(change.rev)
        if skipped > 0 {
            // The changes of a batch have consecutive numbers.
            sender.flush()
            for feed in index.feeds.values { feed.n += skipped }
        }
        guard let (kind, subjects) = try? change.known() else {
            counted.heldBack += 1
            sender.flush()
            // It may belong to each of them.
            for feed in index.feeds.values { feed.n += 1 }
            return
        }
        // The feeds' numbers count a change that is held back, so subscribers see the hole and read it from the log.
        let isHeldBack = sender.isFull
        if isHeldBack {
            counted.heldBack += 1
            sender.flush()
        }
        index.candidates(change.rev, subjects) { feed in
            let operation = feed.topic.filter.operation(of: kind, before: subjects.before, after: subjects.after)
            guard let operation else { return }
            feed.n += 1
            guard !isHeldBack else { return }
            counted.published += 1
            sender.gather(change, operation, feed)
        }
        sender.settle()
    }

    /// Sends what is published within `body` together: before this returns, or after a pause.
    public func together(_ body: () -> Void) { sender.together(body) }

    /// Sends everything that has been published.
    public func flush() { sender.flush() }

    /// Sets the floor that beacons name, after the log was compacted.
    public func moved(floor: UInt64) { sender.numbering.moved(floor: floor) }

    /// Begins to count anew. What was published before has left before.
    public func begin(_ numbering: FeedNumbering) {
        sender.flush()
        sender.numbering = numbering
        // A revision may come again, in another history.
        for feed in index.feeds.values { (feed.n, feed.tried) = (numbering.count, 0) }
    }

    /// Publishes for another run of storage from now on.
    public func goOn(in run: UUIDv7) {
        sender.flush()
        sender.numbering.goesOn(in: run)
    }

    private func beat() {
        // A beacon names the head, so everything up to it has to leave before.
        sender.flush()
        sender.together {
            for feed in index.feeds.values { beacon(feed) }
        }
    }

    func beacon(_ feed: FeedIndex.Feed) {
        guard !isSilent else { return }
        counted.beacons += 1
        let header = sender.numbering.beacon(n: feed.n)
        sender.send(header, feed)
    }
}
