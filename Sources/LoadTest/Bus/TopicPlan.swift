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

    /// The names of all topics: their numbers with leading zeros. Since all have the same size, none is the prefix of
    /// another.
    var names: [[UInt8]] {
        (0..<topics).map { topic in
            let digits = Array("\(topic)".utf8)
            return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, bytes - digits.count)) + digits
        }
    }

    /// - Parameter number: the number of a message, from 1.
    func topic(of number: UInt64) -> Int { Int((number - 1) % UInt64(topics)) }

    /// Returns the topics of a receiver, in two ranges if they continue with the first topic.
    func topics(of receiver: Int) -> [Range<Int>] {
        let first = receiver * subscribed % topics
        let beyond = first + subscribed - topics
        return beyond > 0 ? [0..<beyond, first..<topics] : [first..<first + subscribed]
    }

    /// Returns the number of messages up to `number` that a receiver must get.
    func count(upTo number: UInt64, for receiver: Int) -> UInt64 {
        let (rounds, rest) = number.quotientAndRemainder(dividingBy: UInt64(topics))
        return rounds * UInt64(subscribed) + UInt64(rank(of: Int(rest), for: receiver))
    }

    /// Returns the ordinal of a message, from 1; nil if the receiver has not subscribed to its topic.
    func ordinal(of number: UInt64, for receiver: Int) -> UInt64? {
        guard topics(of: receiver).contains(where: { $0.contains(topic(of: number)) }) else { return nil }
        return count(upTo: number, for: receiver)
    }

    /// Returns how many of a receiver's topics are less than `topic`.
    private func rank(of topic: Int, for receiver: Int) -> Int {
        topics(of: receiver).reduce(0) { $0 + min(max(topic - $1.lowerBound, 0), $1.count) }
    }
}
