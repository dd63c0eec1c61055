// SPDX-License-Identifier: Apache-2.0

/// The stored state of one row of a source.
package struct RememberedRow {
    /// The landmark's key; nil if a person has removed the landmark.
    package var landmark: UInt64?
    /// The draft that the source sent last, encoded.
    package var draft: [UInt8]

    package init(landmark: UInt64?, draft: [UInt8]) { (self.landmark, self.draft) = (landmark, draft) }
}
