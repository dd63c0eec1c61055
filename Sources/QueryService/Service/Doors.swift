// SPDX-License-Identifier: Apache-2.0

import Accounts
internal import WaymarkTransport
import ZeroMQ

/// What a query service holds in memory for accounts, and the sockets for those who have none yet.
struct Doors {
    /// The most strangers at once.
    static let connections = 64
    /// The most messages of one stranger that wait to be received.
    static let backlog = 64
    /// The most attempts to sign in that wait for storage.
    static let mostWaiting = 64

    /// Whether the accounts are just being read for a key that came.
    var isLooking = false
    /// Whether a key came that the reading under way may not see.
    var wantsLook = false
    /// The run of storage that the accounts are of.
    var epoch: [UInt8] = []
    /// Why there are no accounts; nil if there are.
    var trouble: String?
    var following: Task<Void, Never>?
    /// Says who may connect, if it is this server's alone.
    var ownHandler: ZAPHandler?
    var signIn: RequestServer?
    var door: RequestServer?
    var pace = StrangerPace()
    /// Attempts to sign in that wait for storage. A copy of one is dropped: it gets the same answer.
    var waiting: Set<RequestKey> = []

    /// Those of this service alone. Storage has more, for all services together.
    var limits = SignInLimits()
}
