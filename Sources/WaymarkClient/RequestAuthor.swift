// SPDX-License-Identifier: Apache-2.0

package import Accounts

/// The user or account on whose behalf a client sends a request.
package struct RequestAuthor: Sendable {
    package var user: String
    /// The number of the account, if accounts are required; 0 if there is none. Only a service may name another's.
    package var account: UInt64
    /// The IP address from which the request came, for the audit trail; empty for this machine.
    package var origin: String
    /// The identity of a request that its sender may repeat. All copies with this identity are executed once, and get
    /// the same answer. It is used as a client id, so nothing else may use it. Nil if the request is not repeated.
    package var once: UUIDv7?

    /// The key with which the author has proved the account, which may only read; nil if there is none.
    package var key: AccountKey?

    package init(
        user: String = "", account: UInt64 = 0, origin: String = "", once: UUIDv7? = nil, key: AccountKey? = nil
    ) {
        (self.user, self.account, self.origin, self.once) = (user, account, origin, once)
        self.key = key
    }
}
