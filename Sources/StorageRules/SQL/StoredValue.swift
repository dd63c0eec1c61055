// SPDX-License-Identifier: Apache-2.0

/// A value in a statement or in a row, of a type that both databases have. The associated value is nil for NULL.
package enum StoredValue: Hashable, Sendable {
    case integer(Int64?)
    case real(Double?)
    case text(String?)
    case blob([UInt8]?)

    /// Makes an integer with the same 64 bits.
    package static func bits(_ value: UInt64) -> StoredValue { .integer(Int64(bitPattern: value)) }
    package static func int(_ value: Int) -> StoredValue { .integer(Int64(value)) }
}
