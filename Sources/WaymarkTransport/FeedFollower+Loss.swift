// SPDX-License-Identifier: Apache-2.0

import ChangeFeed

extension FeedLoss.Cause {
    /// - Parameters:
    ///   - reach: the state of the subscription's connection.
    ///   - wasHeard: whether any message has come from this publisher.
    init(_ reach: ConnectionReach, wasHeard: Bool) {
        switch reach.failure {
        case .keyRefused: self = .keyRefused
        case .otherKey, .noKeys: self = .otherKey
        case .keysNeeded: self = .keyNeeded
        case _ where wasHeard: self = .silent
        case .handshake, .foreign: self = .mute
        case .unreachable, .unknownHost, .noRoute, .noSocket, .notAllowed, nil:
            self = reach.isOpen || reach.isConnected ? .mute : .unreachable
        }
    }
}
