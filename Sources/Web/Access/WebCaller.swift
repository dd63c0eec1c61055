// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import ZeroMQ

/// Who asks.
enum WebCaller: Sendable {
    /// Accounts are not required.
    case anyone
    /// Accounts are required, and this one has proved nothing.
    case stranger
    /// The key is a session's or a bearer's.
    case account(Account, key: AccountKey)

    /// The session that the request came with.
    var session: (account: Account, key: AccountKey)? {
        if case .account(let account, let key) = self, key.kind == .session { (account, key) } else { nil }
    }
}
