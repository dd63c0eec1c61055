// SPDX-License-Identifier: Apache-2.0

public import Accounts
public import ZeroMQ

/// The accounts that a query service knows. The HTTP interface and other parts of the same process read them too.
public struct KnownAccounts: Sendable {
    /// The longest time to wait until a key is known, or known to belong to no account.
    private static let patience = Duration.seconds(2)

    public let book = AccountBook()
    let pendingKeys = PendingKeys()

    /// Waits until the accounts have been read after this key arrived, because it may have just been added at storage.
    ///
    /// - Returns: whether the key is now known, or known to belong to no account. False if storage has not answered in
    ///   time, or if too many unknown keys wait: then nothing is known of the key.
    public func settle(_ key: CurveKey) async -> Bool {
        await pendingKeys.readings.wait(atMost: Self.patience) {
            book.knows(key) || pendingKeys.isStranger(key) && pendingKeys.remembers(key)
        }
    }
}
