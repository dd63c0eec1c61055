// SPDX-License-Identifier: Apache-2.0

public import Accounts
import ServiceHost
internal import WaymarkTransport
public import ZeroMQ

/// The accounts that a query service knows, for what asks in its name.
public struct KnownAccounts: Sendable {
    /// The longest time in milliseconds for which one waits to know.
    private static let patience: UInt64 = 2_000

    public let book = AccountBook()
    let newcomers = Newcomers()

    /// Waits until the accounts were read after this key came: it may have been added a moment ago, elsewhere.
    public func settle(_ key: CurveKey) async {
        let deadline = Monotonic.milliseconds + Self.patience
        var pause = 2
        while !book.knows(key), !newcomers.isStranger(key), Monotonic.milliseconds < deadline {
            do { try await Task.sleep(for: .milliseconds(pause)) } catch { return }
            // Many strangers may wait at once.
            pause = min(2 * pause, 100)
        }
    }
}
