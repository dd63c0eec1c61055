// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The result of a batch of write requests.
package struct AppliedBatch: Sendable {
    /// An encoded `Reply` for each request, in the order of the requests.
    package var replies: [[UInt8]] = []
    /// The changes of landmarks in the order of revisions.
    package var changes: [EncodedChange] = []
    /// Changes to accounts and keys; nil if there are none.
    package var accounts: AccountNews?

    package init() {}
}
