// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLite

// The contents of a row may be damaged, and reading damaged contents must throw an error.

extension StatementRow: StoredRow {
    package func bits(_ column: Int) throws(RowError) -> UInt64 { UInt64(bitPattern: try integer(column)) }
    package func data(_ column: Int) throws(RowError) -> Data { try withBlob(column) { Data($0) } }
    package func bytes(_ column: Int) throws(RowError) -> [UInt8] { try withBlob(column) { [UInt8]($0) } }
}

extension UInt64 {
    /// A signed integer with the same 64 bits, because SQLite has no unsigned integers.
    package var bits: Int64 { Int64(bitPattern: self) }
}
