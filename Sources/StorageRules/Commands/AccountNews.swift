// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol

/// The accounts and keys that changed after a revision, or all accounts and keys.
package struct AccountNews: Sendable, Hashable {
    /// The usual number of rows of a page. A row takes at most 300 bytes. A page has more rows if the rows of its last
    /// revision do not fit, but few rows share one revision.
    package static let pageRows = 2_000

    /// The newest revision among these rows.
    package var revision: UInt64 = 0
    /// The newest revision in the tables of accounts and keys.
    var newest: UInt64 = 0
    /// The highest revision among the keys that were deleted since storage started; 0 if there are none, or if no commit
    /// read these rows. A reader with a lower revision may still hold a key that has ended.
    package var forgotten: UInt64 = 0
    package var accounts: [Account] = []
    package var keys: [AccountKey] = []

    /// - Parameter isWhole: whether these rows are all accounts and keys that exist.
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
