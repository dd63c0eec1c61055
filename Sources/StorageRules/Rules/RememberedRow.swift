// SPDX-License-Identifier: Apache-2.0

/// The stored state of one row of a source.
package struct RememberedRow {
    /// The landmark's key; nil when a person has removed it.
    package var landmark: UInt64?
    /// The encoded draft that the source gave last.
    package var draft: [UInt8]

    package init(landmark: UInt64?, draft: [UInt8]) { (self.landmark, self.draft) = (landmark, draft) }
}
