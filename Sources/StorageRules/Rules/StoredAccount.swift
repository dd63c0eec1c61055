// SPDX-License-Identifier: Apache-2.0

import Accounts

/// A stored account, with the hash of its password and with its times.
package struct StoredAccount: Hashable, Sendable {
    package var account: Account
    /// An Argon2id hash; empty if the account has no password.
    package var password: String
    /// The time of the account's creation in Unix milliseconds.
    var created: UInt64
    /// The time of the account's end in Unix milliseconds; 0 if the account has not ended.
    var ended: UInt64
}
