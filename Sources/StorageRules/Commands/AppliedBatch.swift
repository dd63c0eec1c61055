// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The result of a batch.
package struct AppliedBatch: Sendable {
    /// An encoded `Reply` for each request, in the order of the requests.
    package var replies: [[UInt8]] = []
    /// In the order of revisions.
    package var changes: [EncodedChange] = []
    /// What has changed of accounts and keys; nil: nothing.
    package var accounts: AccountNews?

    package init() {}
}
