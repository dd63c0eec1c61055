// SPDX-License-Identifier: Apache-2.0

import Accounts

/// A stored account, with its password's hash and its times.
package struct StoredAccount: Hashable, Sendable {
    package var account: Account
    /// An Argon2id hash; empty if the account has no password.
    package var password: String
    /// Unix milliseconds.
    var created: UInt64
    /// Unix milliseconds; 0 if the account has not ended.
    var ended: UInt64
}
