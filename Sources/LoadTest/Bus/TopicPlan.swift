// SPDX-License-Identifier: Apache-2.0

/// Distributes the messages over topics, and the topics over receivers.
///
/// Message n has the topic (n − 1) mod N. Receiver r subscribes to K topics in a row, from topic r × K on; the first
/// topic follows the last one. So the messages that a receiver must get are known from their numbers alone. It counts
/// them by their ordinals: 1, 2, 3, … without gaps.
public struct TopicPlan: Hashable, Sendable {
    /// The maximum number of topics, because each has a name in memory.
    public static let most = 100_000
    /// The maximum size of a topic in bytes: see `Socket.subscribe`.
    public static let longest = 245

    public let topics: Int
    /// The size of a topic's name in bytes.
    public let bytes: Int
    /// The number of topics to which each receiver subscribes.
    public let subscribed: Int

    /// - Parameters:
    ///   - bytes: at least as many as the greatest topic has digits.
    ///   - subscribed: from 1 to the number of topics; nil for all.
    public init(topics: Int, bytes: Int, subscribed: Int? = nil) {
        (self.topics, self.bytes, self.subscribed) = (topics, bytes, subscribed ?? topics)
    }

    /// Whether each receiver subscribes to everything. One empty subscription is enough for that.
    var isWhole: Bool { subscribed == topics }

    /// Returns a topic's name: its number with leading zeros. All have the same size, so none is the prefix of another.
    func name(_ topic: Int) -> [UInt8] {
        let digits = Array("\(topic)".utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, bytes - digits.count)) + digits
    }

    var names: [[UInt8]] { (0..<topics).map(name) }

    /// - Parameter number: the number of a message, from 1.
    func topic(of number: UInt64) -> Int { Int((number - 1) % UInt64(topics)) }
    func topics(of receiver: Int) -> [Int] { (0..<subscribed).map { (first(of: receiver) + $0) % topics } }
    private func first(of receiver: Int) -> Int { receiver * subscribed % topics }

    /// Returns the number of messages up to `number` that a receiver must get.
    func count(upTo number: UInt64, for receiver: Int) -> UInt64 {
        let (rounds, rest) = number.quotientAndRemainder(dividingBy: UInt64(topics))
        let (topic, first) = (Int(rest), first(of: receiver))
        // The receiver's topics that are less than `topic`: those after the first one, and those after the last one.
        let less = min(max(0, topic - first), subscribed) + min(topic, max(0, first + subscribed - topics))
        return rounds * UInt64(subscribed) + UInt64(less)
    }

    /// Returns the ordinal of a message, from 1; nil if the receiver has not subscribed to its topic.
    func ordinal(of number: UInt64, for receiver: Int) -> UInt64? {
        let distance = topic(of: number) - first(of: receiver)
        guard (distance < 0 ? distance + topics : distance) < subscribed else { return nil }
        return count(upTo: number, for: receiver)
    }
}
