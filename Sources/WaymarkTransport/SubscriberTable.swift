// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// The owners of a feed's connections, each held to its share of connections and topics.
///
/// libzmq asks for a key only while a connection is made, and cannot end one connection of an XPUB socket. But a
/// subscription names the descriptor that it came by, and a connection without a subscription receives nothing. So the
/// connections of a key are those that delivered its subscriptions, and shutting their descriptors down ends them.
/// (Binding the socket anew, which is the other way, ends all connections.)
struct SubscriberTable {
    enum Verdict: Hashable {
        /// Obey the message. The owner is nil if its connection has ended or is within this process.
        case heed(FeedOwner?)
        /// The connection was ended before: its messages do not count any more.
        case late
        /// The sender may not follow.
        case refused
        /// The sender's account has used up its share of connections.
        case overShare
    }

    private var known: [Int32: (key: CurveKey, owner: FeedOwner)] = [:]
    /// Connections that have sent nothing yet, the oldest first. Their owners are unknown, so all of them together have
    /// the share of one account.
    private var silent: [Int32] = []
    private var connections: FeedShares
    /// Topics, counted to their first subscriber. Later subscribers of an existing topic pay nothing.
    private var topics: FeedShares
    /// The accounts that were refused something because of their share, since the last ``takeRefusals()``.
    private var refusals: Set<UInt64> = []
    private let owner: (CurveKey) -> FeedOwner?

    /// - Parameters:
    ///   - owner: the owner of a key; nil if it may not follow.
    ///   - connections: the most connections of all accounts together.
    ///   - topics: the most topics of all accounts together.
    init(connections: Int, topics: Int, _ owner: @escaping (CurveKey) -> FeedOwner?) {
        (self.owner, self.connections, self.topics) = (owner, FeedShares(of: connections), FeedShares(of: topics))
    }

    /// Records a new connection.
    ///
    /// - Returns: the connection that has been silent for longest, if too many are silent. A subscriber subscribes as
    ///   soon as its handshake is over.
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

    /// Finds the owner of a message. Report all earlier events of connections first.
    mutating func judge(_ message: borrowing Message) -> Verdict {
        // An unsubscription after the end of a connection names nobody.
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
        // A message of an earlier connection with this descriptor may still have been under way.
        known[descriptor] = (key, owner)
        return .heed(owner)
    }

    /// Returns and forgets the connections of owners that may not follow any more.
    mutating func refused() -> [Int32] {
        var judged: [CurveKey: Bool] = [:]
        let refused = known.filter { _, one in
            if let known = judged[one.key] { return !known }
            let may = owner(one.key) != nil
            judged[one.key] = may
            return !may
        }
        for descriptor in refused.keys { ended(descriptor) }
        return Array(refused.keys)
    }

    /// Counts a topic that nobody has yet to the owner.
    ///
    /// - Returns: false if the owner's share of topics is used up.
    mutating func takeTopic(_ owner: FeedOwner) -> Bool {
        if topics.take(owner) { return true }
        note(owner)
        return false
    }

    /// Subtracts a topic that has lost its last subscriber from the owner's share.
    mutating func giveBackTopic(_ owner: FeedOwner) { topics.giveBack(owner) }

    /// Returns and clears the accounts that were refused something because of their share.
    mutating func takeRefusals() -> Set<UInt64> {
        defer { refusals = [] }
        return refusals
    }

    private mutating func note(_ owner: FeedOwner) {
        if case .account(let number) = owner { refusals.insert(number) }
    }
}
