// SPDX-License-Identifier: Apache-2.0

public import Accounts
public import ZeroMQ

/// The accounts that a query service knows, for what asks in its name.
public struct KnownAccounts: Sendable {
    /// The longest time for which one waits to know.
    private static let patience = Duration.seconds(2)

    public let book = AccountBook()
    let newcomers = Newcomers()

    /// Waits until the accounts were read after this key came: it may have been added a moment ago, elsewhere.
    public func settle(_ key: CurveKey) async {
        await newcomers.readings.wait(atMost: Self.patience) { book.knows(key) || newcomers.isStranger(key) }
    }
}
