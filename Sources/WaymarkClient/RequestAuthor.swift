// SPDX-License-Identifier: Apache-2.0

/// The user or account for which a client sends another's request.
package struct RequestAuthor: Sendable {
    package var user: String
    /// The account, if accounts are required: only a service may name another than its own. 0 for none.
    package var account: UInt64
    /// The IP address from which the request came, for the audit trail; empty for this machine.
    package var origin: String
    /// The identity of a request that its sender may repeat: all copies under it are executed once, and get the same
    /// answer. It stands for a client of its own, so nothing else may use it. Nil if the request is not repeated.
    package var once: UUIDv7?

    package init(user: String = "", account: UInt64 = 0, origin: String = "", once: UUIDv7? = nil) {
        (self.user, self.account, self.origin, self.once) = (user, account, origin, once)
    }
}
