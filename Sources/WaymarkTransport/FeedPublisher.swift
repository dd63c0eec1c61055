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
/// On a topic of batches the changes of a commit leave as one message. While there are many subscribers, later commits
/// wait for each other too: see ``pause``. Every feed numbers its changes. A beacon repeats the latest number and names the head; it is sent once a second, and
/// at once to new subscribers. So a slow subscriber, whose queue was full and lost a message, notices that with the next
/// beacon and reads the change from the log. See `Protocol.md`, part The feed.
public final class FeedPublisher {
    /// The most feeds at once. A subscriber to a further one receives nothing, not even a beacon, and reads the log instead.
    public static let mostFeeds = 4_096
    /// The most bytes of changes that may wait in libzmq's queues. A change counts once, whatever the number of its
    /// subscribers.
    package var mostHeld = 256 * 1024 * 1024
    /// The most bytes of changes that wait in batches, for all feeds together.
    static let mostGathered = 1024 * 1024
    /// The largest subscription, which is longer than any topic of this version. libzmq keeps subscriptions in a tree with
    /// a node for each byte, so long ones would take much memory.
    private static let subscriptionBytes = 1_024

    let socket: Socket
    private var watch: SocketWatch?
    var monitor: SocketMonitor?
    var gate: ConnectionGate?
    let held = HeldBytes()
    private var timer: LoopTimer?
    var incoming = Message()
    let outbox = Outbox<Void>()
    var index = FeedIndex()
    /// The forms of topics that it publishes on.
    let forms: [FeedTopic.Form]
    /// The feeds with changes that have not left yet.
    var gathering: [FeedIndex.Feed] = []
    var gatheredBytes = 0
    /// When batches last left, in monotonic nanoseconds.
    var lastFlush: UInt64 = 0
    var flushTimer: LoopTimer?
    /// Topics with new subscribers that have not had their beacon yet.
    var welcomes: Set<FeedTopic> = []
    var welcomeTimer: LoopTimer?
    /// In nanoseconds: the longest time between two messages to all subscribers. See ``pause``.
    public var longestPause: UInt64 = 5_000_000
    /// Whether it sends no beacons, because what it publishes comes from elsewhere and nothing arrives from there.
    public var isSilent = false
    private(set) var numbering: FeedNumbering

    /// Who is subscribed by which connection, where subscribers have keys.
    var subscribers: SubscriberTable?

    let loop: EventLoop
    /// The endpoint that it is bound to.
    public private(set) var endpoint = ""
    var counted = FeedPublisherCounters()
    public var counters: FeedPublisherCounters {
        var counters = counted
        counters.bytesHeld = UInt64(max(0, held.count))
        counters.connections = UInt64(gate?.open ?? 0)
        counters.connectionsTurnedAway = gate?.turnedAway ?? 0
        return counters
    }

    /// - Parameters:
    ///   - connections: the most connections at once. A further one is closed.
    ///   - forms: the forms of topics that it publishes on.
    ///   - security: how subscribers prove who they are; nil: everybody may subscribe, and nothing is encrypted.
    ///   - owner: whose a key is, and so whose share its connections and topics count to; nil: it may not subscribe now.
    /// - Throws: `ZeroMQError` if the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, epoch: UUIDv7, run: UUIDv7, head: UInt64, floor: UInt64,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds), connections: Int = .max,
        forms: [FeedTopic.Form] = FeedTopic.Form.allCases, security: SocketSecurity? = nil,
        owner: @escaping (CurveKey) -> FeedOwner? = { _ in .service }
    ) throws(ZeroMQError) {
        (self.loop, self.forms) = (loop, forms)
        numbering = FeedNumbering(epoch: epoch, run: run, head: head, floor: floor)
        // The feeds of everything are never removed: a peer may send an unsubscription although others are subscribed.
        for form in forms { index.insert(FeedIndex.Feed(.everything(form), n: 0)) }
        var options = SocketOptions.service
        options.maxMessageSize = Self.subscriptionBytes
        options.security = security
        options.sendHighWaterMark = 4_096
        options.ioThread = IOThreads.others
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        // Reports every subscription, not only the first one of a topic, so that each new subscriber gets its beacon.
        options.xpubVerbose = true
        socket = try Socket(.xpub, context: context, options: options)
        if security != nil {
            subscribers = SubscriberTable(connections: connections, topics: Self.mostFeeds, owner)
        }
        // Before it is bound: what connects at once would not be known.
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in self?.noticed(event) }
        self.endpoint = try socket.bind(endpoint)
        gate = ConnectionGate(limit: connections, endpoint: self.endpoint)
        watch = loop.watch(socket) { [weak self] in self?.hearSubscriptions() }
        timer = loop.schedule(every: beacon) { [weak self] in self?.beat() }
    }

    public func close() {
        flush()
        timer?.cancel()
        welcomeTimer?.cancel()
        watch?.cancel()
        monitor?.cancel()
        (timer, welcomeTimer, watch, monitor, gate) = (nil, nil, nil, nil, nil)
    }

    /// Recovers from a shortage of file descriptors when it is over. Call it about once a second.
    public func settle() { gate?.settle() }

    /// Publishes a durable change on every feed that contains it. Call it in the order of revisions.
    ///
    /// One that this version cannot read is left out, so that subscribers see the hole and read the log.
    public func publish(_ change: EncodedChange) {
        guard let (kind, subjects) = try? change.known() else { return }
        let skipped = numbering.change(change.rev)
        if skipped > 0 {
            // The changes of a batch have consecutive numbers.
            flush()
            for feed in index.feeds.values { feed.n += skipped }
        }
        // The feeds' numbers count a change that is held back, so subscribers see the hole and read it from the log.
        let isHeldBack = held.count > mostHeld
        if isHeldBack {
            counted.heldBack += 1
            flush()
        }
        var shared = Frame(isHeldBack ? [] : change.bytes, countedBy: held)
        index.candidates(change.rev, subjects) { feed in
            let operation = feed.topic.filter.operation(of: kind, before: subjects.before, after: subjects.after)
            guard let operation else { return }
            feed.n += 1
            guard !isHeldBack else { return }
            counted.published += 1
            if feed.topic.form == .batched { return gather(change, operation, feed) }
            let header = numbering.header(n: feed.n, rev: change.rev, operation: operation)
            send(feed.topic, header, shared.share())
        }
        if !outbox.isGathering { settled() }
    }

    /// Sets the floor that beacons name, after the log was compacted.
    public func moved(floor: UInt64) { numbering.moved(floor: floor) }

    /// Begins to count anew. What was published before has left before.
    public func begin(_ numbering: FeedNumbering) {
        flush()
        self.numbering = numbering
        // A revision may come again, in another history.
        for feed in index.feeds.values { (feed.n, feed.tried) = (numbering.count, 0) }
    }

    /// Publishes for another run of storage from now on.
    public func goOn(in run: UUIDv7) {
        flush()
        numbering.goesOn(in: run)
    }

    private func send(_ topic: FeedTopic, _ header: FeedHeader, _ payload: consuming Frame?) {
        let isDue = outbox.add((), payload: payload) { message in
            topic.bytes.withUnsafeBytes { message.append(copying: $0) }
            header.encoded.withUnsafeBytes { message.append(copying: $0) }
        }
        if isDue { send() }
    }

    func send() {
        // An XPUB socket never blocks: it drops what a subscriber's full queue cannot take, and the subscriber finds out
        // by the numbers. So only an error leaves a message unsent.
        try? outbox.flush(to: socket) { _, outcome in
            if outcome == nil { counted.failures += 1 }
        }
    }

    private func beat() {
        // A beacon names the head, so everything up to it has to leave before.
        flush()
        together {
            for feed in index.feeds.values { beacon(feed) }
        }
    }

    func beacon(_ feed: FeedIndex.Feed) {
        guard !isSilent else { return }
        counted.beacons += 1
        let header = numbering.beacon(n: feed.n)
        switch feed.topic.form {
        case .single: send(feed.topic, header, nil)
        case .batched: send(feed.topic.bytes + header.encoded)
        }
    }
}
