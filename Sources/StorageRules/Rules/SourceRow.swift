// SPDX-License-Identifier: Apache-2.0

/// What is known of a row of a source.
struct SourceRow {
    /// The landmark's key; nil when a person has removed it.
    var landmark: UInt64?
    /// The encoded draft that the source gave last.
    var draft: [UInt8]
}
