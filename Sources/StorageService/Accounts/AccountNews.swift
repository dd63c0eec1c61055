// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol
import ZeroMQ

/// What has changed in the table of accounts, or all of it.
struct AccountNews: Sendable, Hashable {
    /// That of the newest of these.
    var revision: UInt64 = 0
    var accounts: [Account] = []
    var keys: [AccountKey] = []

    /// - Parameter isWhole: these are all there are.
    func page(epoch: [UInt8], isWhole: Bool) -> WireAccountPage {
        .with {
            $0.epoch = Data(epoch)
            $0.revision = revision
            $0.whole = isWhole
            $0.accounts = accounts.map(WireAccountInfo.init)
            $0.keys = keys.map(WireAccountKey.init)
        }
    }
}
