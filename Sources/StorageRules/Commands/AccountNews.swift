// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol

/// What has changed in the table of accounts, or all of it.
package struct AccountNews: Sendable, Hashable {
    /// Rows of a page. None takes more than 300 bytes, and those of one revision are few.
    package static let pageRows = 2_000

    /// That of the newest of these.
    package var revision: UInt64 = 0
    /// That of the newest there is.
    var newest: UInt64 = 0
    /// That of the newest key that was forgotten: who has nothing newer may have a key that has ended.
    package var forgotten: UInt64 = 0
    package var accounts: [Account] = []
    package var keys: [AccountKey] = []

    /// - Parameter isWhole: these are all there are.
    package func page(epoch: [UInt8], isWhole: Bool) -> WireAccountPage {
        .with {
            $0.epoch = Data(epoch)
            ($0.revision, $0.newest) = (revision, newest)
            $0.whole = isWhole
            $0.accounts = accounts.map(WireAccountInfo.init)
            $0.keys = keys.map(WireAccountKey.init)
        }
    }
}
