// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
import SwiftProtobuf
public import Landmarks
public import WaymarkProtocol
public import ZeroMQ

/// The publishing end of the feeds: an XPUB socket whose subscriptions are the filters.
///
/// A publisher lives on the loop of the actor that owns it. The topic of a new subscription is decoded into its filter.
/// From then on the filter is tried with each change that it may contain, until the XPUB socket reports that the last
/// subscriber has gone. So there is no registration and no lease, and all subscribers of one topic share a feed.
///
/// Every feed numbers its changes. A beacon repeats the latest number and names the head; it is sent once a second, and
/// at once to new subscribers. So a slow subscriber, whose queue was full and lost a message, notices that with the
/// next beacon and reads the change from the log. ``FeedSender`` decides when messages are sent. See `Protocol.md`,
/// part The feed.
public final class FeedPublisher {
    /// The most feeds at once. Subscribers to further ones receive nothing, not even a beacon, and read the log
    /// instead.
    public static let mostFeeds = 4_096
    /// The largest subscription, longer than any topic of this version. libzmq keeps subscriptions in a tree with a
    /// node for each byte, so long ones would take much memory.
    private static let subscriptionBytes = 1_024

    let listener: Listener
    package let sender: FeedSender
    private var timer: LoopTimer?
    var incoming = Message()
    var index = FeedIndex()
    /// Topics with new subscribers that have not received their beacon yet.
    var welcomes: Set<FeedTopic> = []
    var welcomeTimer: LoopTimer?
    /// Whether no beacons are sent, because the publisher's own source of changes has fallen silent.
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
    ///   - rule: how many subscribers may connect, and how they prove their identity.
    ///   - owner: the owner of a key, to whose share its connections and topics count; nil if it may not subscribe now.
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
        // Report every subscription, not only the first of a topic, so that each new subscriber gets its beacon.
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

    /// Resumes normal operation once a shortage of file descriptors is over. Call it about once a second.
    public func settle() { listener.gate?.settle() }

    /// Publishes a durable change on every feed that contains it. Call it in the order of revisions.
    ///
    /// A change that this version cannot read is counted and left out, so that subscribers see the hole and read the
    /// log.
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
            // The unreadable change may belong to any feed.
            for feed in index.feeds.values { feed.n += 1 }
            return
        }
        // A change that is held back still counts in the feeds' numbers, so subscribers see the hole and read it from
        // the log.
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

    /// Sends the changes published within `body` together: before this returns, or after a pause.
    public func together(_ body: () -> Void) { sender.together(body) }

    /// Sends all published changes.
    public func flush() { sender.flush() }

    /// Sets the floor that beacons name, after the log was compacted.
    public func moved(floor: UInt64) { sender.numbering.moved(floor: floor) }

    /// Restarts the numbering. Earlier changes are sent first.
    public func begin(_ numbering: FeedNumbering) {
        sender.flush()
        sender.numbering = numbering
        // In another history a revision may occur again.
        for feed in index.feeds.values { (feed.n, feed.tried) = (numbering.count, 0) }
    }

    /// Continues the feeds for another run of storage.
    public func resume(in run: UUIDv7) {
        sender.flush()
        sender.numbering.resume(in: run)
    }

    private func beat() {
        // A beacon names the head, so all changes up to it have to be sent first.
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
