// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLite

// The contents of a row may be damaged, and reading damaged contents must throw an error.

extension StatementRow {
    package func bits(_ column: Int) throws(EngineError) -> UInt64 {
        do throws(RowError) { return UInt64(bitPattern: try integer(column)) } catch { throw EngineError(error) }
    }

    package func double(_ column: Int) throws(EngineError) -> Double {
        do throws(RowError) { return try real(column) } catch { throw EngineError(error) }
    }

    package func data(_ column: Int) throws(EngineError) -> Data {
        do throws(RowError) { return try withBlob(column) { Data($0) } } catch { throw EngineError(error) }
    }

    package func bytes(_ column: Int) throws(EngineError) -> [UInt8] {
        do throws(RowError) { return try withBlob(column) { [UInt8]($0) } } catch { throw EngineError(error) }
    }

    package func text(_ column: Int) throws(EngineError) -> String {
        do throws(RowError) { return try string(column) } catch { throw EngineError(error) }
    }
}

extension UInt64 {
    /// A signed integer with the same 64 bits, because SQLite has no unsigned integers.
    package var bits: Int64 { Int64(bitPattern: self) }
}
