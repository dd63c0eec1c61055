// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Who follows a feed by which connection, and that no account has more than its share of connections and topics.
///
/// libzmq asks for a key only while a connection is made, and cannot end one connection of an XPUB socket. But a
/// subscription names the descriptor that it came by, and a connection without a subscription receives nothing. So the
/// connections of a key are those that its subscriptions came by, and shutting their descriptors down ends them. (Binding
/// the socket anew, which is the other way, ends all connections.)
struct SubscriberTable {
    enum Verdict: Hashable {
        /// Heed the message; nil: of nobody, because its connection has ended or is within this process.
        case heed(FeedOwner?)
        /// The connection was ended before: whatever it has said does not count.
        case late
        /// The sender may not follow.
        case refused
        /// The sender's account has its share of connections.
        case overShare
    }

    private var known: [Int32: (key: CurveKey, owner: FeedOwner)] = [:]
    /// Connections that have said nothing yet, the oldest first. Nobody knows whose they are, so all of them together have
    /// the share of one account.
    private var newcomers: [Int32] = []
    private var connections: FeedShares
    /// Topics that nobody else had subscribed to. One that exists already costs its next subscriber nothing.
    private var topics: FeedShares
    /// The accounts that were refused something for their share, since they were last asked for.
    private var refusals: Set<UInt64> = []
    private let owner: (CurveKey) -> FeedOwner?

    /// - Parameters:
    ///   - owner: whose a key is; nil: its owner may not follow.
    ///   - connections: the most of all accounts together.
    ///   - topics: the most of all accounts together.
    init(connections: Int, topics: Int, _ owner: @escaping (CurveKey) -> FeedOwner?) {
        (self.owner, self.connections, self.topics) = (owner, FeedShares(of: connections), FeedShares(of: topics))
    }

    /// A connection was made.
    ///
    /// - Returns: one that has said nothing for longest, if there are too many of that kind. A subscriber subscribes as soon
    ///   as its handshake is over.
    mutating func began(_ descriptor: Int32) -> Int32? {
        newcomers.append(descriptor)
        return newcomers.count > connections.share ? newcomers.removeFirst() : nil
    }

    /// A connection has ended, or is being ended.
    mutating func ended(_ descriptor: Int32) {
        if let (_, owner) = known.removeValue(forKey: descriptor) {
            connections.giveBack(owner)
        } else {
            newcomers.removeAll { $0 == descriptor }
        }
    }

    /// Notes from whom a message is. Report before what happened to connections until then.
    mutating func judge(_ message: borrowing Message) -> Verdict {
        // An unsubscription after the end of a connection names nobody.
        guard let text = message.property(.userID), let descriptor = message.descriptor else { return .heed(nil) }
        return judge(CurveKey(z85: text), by: descriptor)
    }

    mutating func judge(_ key: CurveKey?, by descriptor: Int32) -> Verdict {
        let isNew = newcomers.contains(descriptor)
        guard isNew || known[descriptor] != nil else { return .late }
        guard let key, let owner = owner(key) else { return .refused }
        if known[descriptor]?.owner != owner {
            ended(descriptor)
            guard connections.take(owner) else {
                note(owner)
                return .overShare
            }
        }
        // Of an earlier connection with this descriptor there may have been a message under way.
        known[descriptor] = (key, owner)
        return .heed(owner)
    }

    /// The connections of those that may not follow any more. They are forgotten.
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

    /// The owner wants a topic that nobody has yet.
    ///
    /// - Returns: false if it has its share of topics.
    mutating func takeTopic(_ owner: FeedOwner) -> Bool {
        if topics.take(owner) { return true }
        note(owner)
        return false
    }

    /// A topic that was taken has no subscriber any more.
    mutating func giveBackTopic(_ owner: FeedOwner) { topics.giveBack(owner) }

    /// The accounts that were refused something for their share, since this was last called.
    mutating func takeRefusals() -> Set<UInt64> {
        defer { refusals = [] }
        return refusals
    }

    private mutating func note(_ owner: FeedOwner) {
        if case .account(let number) = owner { refusals.insert(number) }
    }
}
