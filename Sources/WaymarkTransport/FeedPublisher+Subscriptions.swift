// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

/// Handles the subscriptions that the XPUB socket reports.
extension FeedPublisher {
    func hearSubscriptions() {
        defer { counted.feeds = UInt64(index.count) }
        // Leave further subscriptions to the next iteration of the event loop, so that other work is done first.
        for _ in 0..<256 {
            guard (try? listener.socket.receive(into: &incoming)) == true else { return }
            guard case .heed(let owner) = judge() else { continue }
            let bytes = incoming.bytes(at: 0)
            guard incoming.count == 1, let first = bytes.first, let topic = try? FeedTopic(Array(bytes.dropFirst()))
            else {
                counted.unknownTopics += 1
                continue
            }
            switch first {
            case 1: subscribed(topic, owner)
            case 0 where topic.filter != .everything: remove(topic)
            case 0: break
            // The XPUB socket reports every message of a peer, not only subscriptions.
            default: counted.unknownTopics += 1
            }
        }
    }

    /// Decides whether to obey the current message, and finds the owner of its connection, which is nil if subscribers
    /// have no keys. Ends the connection of a sender that may not follow, or whose account has used up its share.
    private func judge() -> SubscriberTable.Verdict {
        guard subscribers != nil else { return .heed(nil) }
        listener.catchUp()
        guard let verdict = subscribers?.judge(incoming) else { return .heed(nil) }
        switch (verdict, incoming.descriptor) {
        case (.refused, let descriptor?): cutOff([descriptor])
        case (.overShare, let descriptor?): turnAway(descriptor)
        default: break
        }
        return verdict
    }

    func noticed(_ event: SocketEvent, _ isNew: Bool) {
        switch event {
        case .accepted(let descriptor) where isNew:
            if let silent = subscribers?.began(descriptor) { turnAway(silent) }
        case .disconnected(let descriptor): subscribers?.ended(descriptor)
        default: break
        }
    }

    private func turnAway(_ descriptor: Int32) {
        subscribers?.ended(descriptor)
        listener.gate?.turnAway(descriptor)
    }

    private func cutOff(_ descriptors: [Int32]) {
        for descriptor in descriptors {
            subscribers?.ended(descriptor)
            if listener.gate?.end(descriptor) == true { counted.cutOff += 1 }
        }
    }

    /// Returns and clears the set of accounts that were refused a connection or a topic because of their share.
    public func takeRefusals() -> Set<UInt64> { subscribers?.takeRefusals() ?? [] }

    /// Ends the connections of subscribers that may not follow any more. Other connections are not affected. Call it
    /// when the rights of an account have changed.
    public func cutOffRefused() {
        cutOff(subscribers?.refused() ?? [])
    }

    private func remove(_ topic: FeedTopic) {
        guard let feed = index[topic] else { return }
        if !feed.batch.isEmpty { sender.flush() }
        index.remove(topic)
        if let owner = feed.owner { subscribers?.giveBackTopic(owner) }
    }

    private func subscribed(_ topic: FeedTopic, _ owner: FeedOwner?) {
        if index[topic] == nil {
            guard index.count < Self.mostFeeds else {
                counted.refusedTopics += 1
                return
            }
            if let owner, subscribers?.takeTopic(owner) == false {
                counted.refusedTopics += 1
                // Ending the connection tells the subscriber at once that it gets no feed for this topic.
                if let descriptor = incoming.descriptor { turnAway(descriptor) }
                return
            }
            index.insert(FeedIndex.Feed(topic, n: sender.numbering.count, owner: owner))
        }
        counted.subscriptions += 1
        welcomes.insert(topic)
        welcome()
    }

    /// Schedules a beacon for new subscribers. Subscribers that arrive within 5 milliseconds share one beacon, because
    /// each beacon goes to every subscriber of its topic.
    private func welcome() {
        guard welcomeTimer?.isOver ?? true else { return }
        welcomeTimer = loop.schedule(after: .milliseconds(5)) { [weak self] in
            guard let self else { return }
            sender.flush()
            sender.together {
                for topic in self.welcomes {
                    if let feed = self.index[topic] { self.beacon(feed) }
                }
            }
            welcomes.removeAll()
        }
    }
}
