// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// The owners of the feed's connections. Limits each account to its share of connections and topics.
///
/// libzmq checks a key only while a connection is made, and offers no way to end a single connection of an XPUB socket.
/// But a subscription reveals the file descriptor of its connection, and a connection without a subscription receives
/// nothing. So the connections of a key are those that delivered its subscriptions, and they are ended by shutting down
/// their descriptors. (Binding the socket anew would end all connections.)
struct SubscriberTable {
    enum Verdict: Hashable {
        /// Obey the message. The owner is nil if the connection has ended, or if it comes from within this process.
        case heed(FeedOwner?)
        /// Ignore the message, because its connection was ended before.
        case late
        /// The sender may not follow the feed.
        case refused
        /// The sender's account has used up its share of connections.
        case overShare
    }

    private var known: [Int32: (key: CurveKey, owner: FeedOwner)] = [:]
    /// Connections that have sent nothing yet, the oldest first. Their owners are unknown, so together they may use one
    /// account's share.
    private var silent: [Int32] = []
    private var connections: FeedShares
    /// The topics in use. Each counts to its first subscriber's share; later subscribers are not counted.
    private var topics: FeedShares
    /// The accounts that were refused something because of their share, since the last ``takeRefusals()``.
    private var refusals: Set<UInt64> = []
    private let owner: (CurveKey) -> FeedOwner?

    /// - Parameters:
    ///   - connections: the maximum number of connections of all accounts together.
    ///   - topics: the maximum number of topics of all accounts together.
    ///   - owner: returns the owner of a key; nil if the key may not follow the feed.
    init(connections: Int, topics: Int, _ owner: @escaping (CurveKey) -> FeedOwner?) {
        (self.owner, self.connections, self.topics) = (owner, FeedShares(of: connections), FeedShares(of: topics))
    }

    /// Records a new connection.
    ///
    /// - Returns: the connection to end because too many have sent nothing, which is the oldest of these; nil if there
    ///   are not too many. A normal subscriber subscribes as soon as its handshake is over.
    mutating func began(_ descriptor: Int32) -> Int32? {
        silent.append(descriptor)
        return silent.count > connections.share ? silent.removeFirst() : nil
    }

    /// Records that a connection has ended, or is being ended.
    mutating func ended(_ descriptor: Int32) {
        if let (_, owner) = known.removeValue(forKey: descriptor) {
            connections.giveBack(owner)
        } else {
            silent.removeAll { $0 == descriptor }
        }
    }

    /// Finds the owner of a message. Handle all earlier events of connections before.
    mutating func judge(_ message: borrowing Message) -> Verdict {
        // An unsubscription that libzmq reports after the end of a connection has no user id.
        guard let text = message.property(.userID), let descriptor = message.descriptor else { return .heed(nil) }
        return judge(CurveKey(z85: text), by: descriptor)
    }

    mutating func judge(_ key: CurveKey?, by descriptor: Int32) -> Verdict {
        let isNew = silent.contains(descriptor)
        guard isNew || known[descriptor] != nil else { return .late }
        guard let key, let owner = owner(key) else { return .refused }
        if known[descriptor]?.owner != owner {
            ended(descriptor)
            guard connections.take(owner) else {
                note(owner)
                return .overShare
            }
        }
        // The record is replaced, because an earlier connection with this descriptor may have left a message.
        known[descriptor] = (key, owner)
        return .heed(owner)
    }

    /// Returns and forgets the connections whose owners may not follow the feed any more.
    mutating func refused() -> [Int32] {
        let keys = Set(known.values.map(\.key)).filter { owner($0) == nil }
        let refused = known.filter { keys.contains($0.value.key) }.map(\.key)
        for descriptor in refused { ended(descriptor) }
        return refused
    }

    /// Counts a new topic to the owner's share of topics.
    ///
    /// - Returns: false if the owner has used up its share.
    mutating func takeTopic(_ owner: FeedOwner) -> Bool {
        if topics.take(owner) { return true }
        note(owner)
        return false
    }

    /// Subtracts a topic from the owner's share, after the topic has lost its last subscriber.
    mutating func giveBackTopic(_ owner: FeedOwner) { topics.giveBack(owner) }

    /// Returns and clears the accounts that were refused a connection or a topic because of their share.
    mutating func takeRefusals() -> Set<UInt64> {
        defer { refusals = [] }
        return refusals
    }

    private mutating func note(_ owner: FeedOwner) {
        if case .account(let number) = owner { refusals.insert(number) }
    }
}
