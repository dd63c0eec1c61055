// SPDX-License-Identifier: Apache-2.0

import Accounts

/// An account as it is stored.
package struct StoredAccount: Hashable, Sendable {
    package var account: Account
    /// Argon2id; empty: none.
    package var password: String
    /// Unix milliseconds.
    var created: UInt64
    /// 0: it has not ended.
    var ended: UInt64
}
