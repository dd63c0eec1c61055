// SPDX-License-Identifier: Apache-2.0

/// On whose behalf a client sends a request that is not its own.
package struct RequestAuthor: Sendable {
    package var user: String
    /// The account, where accounts are required: only a service may name another than its own. 0: none.
    package var account: UInt64
    /// From where it was asked, for the audit trail: an IP address. Empty: from here.
    package var origin: String
    /// The identity of a request that its sender may repeat: all copies under it are done once, and get the same answer. It
    /// stands for a client of its own, so nothing else may use it. Nil: the request is not repeated.
    package var once: UUIDv7?

    package init(user: String = "", account: UInt64 = 0, origin: String = "", once: UUIDv7? = nil) {
        (self.user, self.account, self.origin, self.once) = (user, account, origin, once)
    }
}
