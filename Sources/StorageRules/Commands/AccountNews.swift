// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol

/// Changed accounts and keys, or all of them.
package struct AccountNews: Sendable, Hashable {
    /// Rows of a page. A row takes at most 300 bytes, and few rows share one revision.
    package static let pageRows = 2_000

    /// The newest revision among these rows.
    package var revision: UInt64 = 0
    /// The newest revision in the tables.
    var newest: UInt64 = 0
    /// The revision of the newest forgotten key. A reader that has seen nothing newer may still hold a key that has
    /// ended.
    package var forgotten: UInt64 = 0
    package var accounts: [Account] = []
    package var keys: [AccountKey] = []

    /// - Parameter isWhole: whether these rows are all that exist.
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
