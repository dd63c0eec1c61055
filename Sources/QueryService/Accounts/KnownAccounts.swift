// SPDX-License-Identifier: Apache-2.0

public import Accounts
public import ZeroMQ

/// The accounts that a query service knows, for the HTTP interface and others in its process.
public struct KnownAccounts: Sendable {
    /// The longest wait until a key is known or known to be a stranger's.
    private static let patience = Duration.seconds(2)

    public let book = AccountBook()
    let pendingKeys = PendingKeys()

    /// Waits until the accounts have been read after this key came: it may have been added elsewhere a moment ago.
    public func settle(_ key: CurveKey) async {
        await pendingKeys.readings.wait(atMost: Self.patience) { book.knows(key) || pendingKeys.isStranger(key) }
    }
}
