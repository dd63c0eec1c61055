// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Which key follows a feed by which connection.
///
/// libzmq asks for a key only while a connection is made, and cannot end one connection of an XPUB socket. But a
/// subscription names the descriptor that it came by, and a connection without a subscription receives nothing. So the
/// connections of a key are those that its subscriptions came by, and shutting their descriptors down ends them. (Binding
/// the socket anew, which is the other way, ends all connections.)
struct SubscriberTable {
    private var keys: [Int32: CurveKey] = [:]
    private let mayFollow: (CurveKey) -> Bool

    init(_ mayFollow: @escaping (CurveKey) -> Bool) { self.mayFollow = mayFollow }

    /// Notes from whom a subscription is.
    ///
    /// - Returns: whether its sender may not follow.
    mutating func isRefused(_ message: borrowing Message) -> Bool {
        // An unsubscription after the end of a connection names nobody.
        guard let text = message.property(.userID), let descriptor = message.descriptor else { return false }
        guard let key = CurveKey(z85: text) else { return true }
        // The number may have belonged to another connection before, which has ended since.
        keys[descriptor] = key
        return !mayFollow(key)
    }

    /// The connections of those that may not follow any more. They are forgotten.
    mutating func refused() -> [Int32] {
        var judged: [CurveKey: Bool] = [:]
        let refused = keys.filter { _, key in
            if let known = judged[key] { return !known }
            let may = mayFollow(key)
            judged[key] = may
            return !may
        }
        for descriptor in refused.keys { keys[descriptor] = nil }
        return Array(refused.keys)
    }
}
