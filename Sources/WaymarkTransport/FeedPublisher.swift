// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import Landmarks
public import WaymarkProtocol
public import ZeroMQ

/// The publishing end of the feeds: an XPUB socket whose subscriptions are the filters.
///
/// Lives on the loop of the actor that owns it. Every feed numbers what it sends; a beacon, sent once a second and to
/// every new subscriber at once, repeats the last number and tells the head. A message that a slow subscriber loses at
/// its high-water mark is thus noticed there, within a beacon, and read from the log. See `Protocol.md`, part The feed.
public final class FeedPublisher {
    private let socket: Socket
    private var watch: SocketWatch?
    private var timer: LoopTimer?
    private var incoming = Message()
    private var outgoing = Message()
    /// The number of the last message of each feed that has subscribers.
    ///
    /// That of everything always has: an unsubscription is only what a peer says, and may be a lie.
    private var feeds: [FeedTopic: UInt64] = [.everything: 0]
    /// A beacon that new subscribers wait for, sent once for all who come at about the same time.
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
    public private(set) var counters = FeedPublisherCounters()

    /// - Throws: `ZeroMQError` when the endpoint cannot be bound.
    public init(
        loop: EventLoop, context: Context, endpoint: String, epoch: UUIDv7, run: UUIDv7, head: UInt64, floor: UInt64,
        beacon: Duration = .milliseconds(WaymarkProtocol.beaconMilliseconds)
    ) throws(ZeroMQError) {
        self.loop = loop
        (self.epoch, self.run, self.head, self.floor) = (epoch, run, head, floor)
        var options = SocketOptions.service
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.sendHighWaterMark = 4_096
        options.ipv6 = Endpoint.isIPv6(endpoint)
        // Every subscription is seen, also the second one of a topic: each new subscriber gets its beacon at once.
        options.xpubVerbose = true
        socket = try Socket(.xpub, context: context, options: options)
        self.endpoint = try socket.bind(endpoint)
        watch = loop.watch(socket) { [weak self] in self?.hearSubscriptions() }
        timer = loop.schedule(every: beacon) { [weak self] in self?.beat() }
    }

    public func close() {
        timer?.cancel()
        welcomeTimer?.cancel()
        watch?.cancel()
        (timer, welcomeTimer, watch) = (nil, nil, nil)
    }

    /// Publishes changes that are durable by now, in revision order.
    public func publish(rev: UInt64, payload: [UInt8]) {
        // Should revisions ever have been committed without being published, the numbers show the hole.
        let step = rev > head ? rev - head : 1
        head = rev
        committed += step
        var shared = Frame(payload)
        for topic in feeds.keys {
            let n = feeds[topic, default: 0] + step
            feeds[topic] = n
            send(topic, FeedHeader(epoch: epoch, run: run, n: n, rev: rev), shared.share())
            counters.published += 1
        }
    }

    /// The log was compacted: from now on beacons tell this floor.
    public func moved(floor: UInt64) { self.floor = floor }

    private func send(_ topic: FeedTopic, _ header: FeedHeader, _ payload: consuming Frame?) {
        outgoing.removeAll()
        outgoing.append(topic.bytes)
        outgoing.append(header.encoded)
        if let payload { outgoing.append(payload) }
        // An XPUB socket drops at a subscriber's high-water mark and never blocks; the numbers tell the subscriber.
        do {
            _ = try socket.send(&outgoing)
        } catch {
            counters.failures += 1
        }
    }

    private func beat() {
        for topic in feeds.keys { beacon(topic) }
    }

    private func beacon(_ topic: FeedTopic) {
        send(topic, FeedHeader(epoch: epoch, run: run, n: feeds[topic, default: 0], rev: head, floor: floor), nil)
        counters.beacons += 1
    }

    private func hearSubscriptions() {
        for _ in 0..<1_024 {
            guard (try? socket.receive(into: &incoming)) == true else { return }
            let bytes = incoming.bytes(at: 0)
            guard incoming.count == 1, let first = bytes.first, let topic = FeedTopic(Array(bytes.dropFirst())) else {
                counters.unknownTopics += 1
                continue
            }
            switch first {
            case 1:
                if feeds[topic] == nil { feeds[topic] = committed }
                counters.subscriptions += 1
                welcome()
            case 0 where topic != .everything: feeds[topic] = nil
            case 0: break
            // XPUB hands up whatever a peer sends, not only subscriptions.
            default: counters.unknownTopics += 1
            }
        }
    }

    /// New subscribers learn at once where the feed stands. All who come within a moment share one beacon: one for each
    /// would go to all the others too.
    private func welcome() {
        guard welcomeTimer == nil else { return }
        welcomeTimer = loop.schedule(after: .milliseconds(5)) { [weak self] in
            self?.welcomeTimer = nil
            self?.beat()
        }
    }
}

/// What was published.
public struct FeedPublisherCounters: Sendable {
    public var published: UInt64 = 0
    public var beacons: UInt64 = 0
    public var subscriptions: UInt64 = 0
    /// Subscriptions to what is no feed of this version.
    public var unknownTopics: UInt64 = 0
    public var failures: UInt64 = 0

    public init() {}

    public var wire: [WireCounter] {
        [
            ("feed_published", published), ("feed_beacons", beacons), ("feed_subscriptions", subscriptions),
            ("feed_unknown_topics", unknownTopics), ("feed_failures", failures),
        ].map { name, value in
            .with {
                $0.name = name
                $0.value = value
            }
        }
    }
}
