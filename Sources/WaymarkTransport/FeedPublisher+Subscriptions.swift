// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

/// The subscriptions that the XPUB socket reports.
extension FeedPublisher {
    /// The feeds of everything, in all forms, count as one.
    private var feedCount: Int { index.count - forms.count + 1 }

    func hearSubscriptions() {
        defer { counted.feeds = UInt64(feedCount) }
        // Further subscriptions are received in the next turn of the loop, after other work.
        for _ in 0..<256 {
            guard (try? socket.receive(into: &incoming)) == true else { return }
            if subscribers?.isRefused(incoming) == true {
                cutOffRefused()
                continue
            }
            let bytes = incoming.bytes(at: 0)
            guard incoming.count == 1, let first = bytes.first, let topic = try? FeedTopic(Array(bytes.dropFirst())),
                forms.contains(topic.form)
            else {
                counted.unknownTopics += 1
                continue
            }
            switch first {
            case 1: subscribed(topic)
            case 0 where topic.filter != .everything: remove(topic)
            case 0: break
            // The XPUB socket passes on every message of a peer, not only subscriptions.
            default: counted.unknownTopics += 1
            }
        }
    }

    /// Ends the connections of subscribers that may not follow any more. Others notice nothing. Call it when somebody's
    /// rights have changed.
    public func cutOffRefused() {
        for descriptor in subscribers?.refused() ?? [] {
            if gate?.end(descriptor) == true { counted.cutOff += 1 }
        }
    }

    private func remove(_ topic: FeedTopic) {
        if index[topic]?.batch.isEmpty == false { flush() }
        index.remove(topic)
    }

    private func subscribed(_ topic: FeedTopic) {
        if index[topic] == nil {
            guard feedCount < Self.mostFeeds else {
                counted.refusedTopics += 1
                return
            }
            index.insert(FeedIndex.Feed(topic, n: numbering.count))
        }
        counted.subscriptions += 1
        welcomes.insert(topic)
        welcome()
    }

    /// Sends a beacon to new subscribers. All that arrive within some milliseconds share one, because each beacon goes to
    /// every subscriber of its topic.
    private func welcome() {
        guard welcomeTimer == nil else { return }
        welcomeTimer = loop.schedule(after: .milliseconds(5)) { [weak self] in
            guard let self else { return }
            welcomeTimer = nil
            flush()
            together {
                for topic in self.welcomes {
                    if let feed = self.index[topic] { self.beacon(feed) }
                }
            }
            welcomes.removeAll()
        }
    }
}
