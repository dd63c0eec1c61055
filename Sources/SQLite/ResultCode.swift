// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A primary or extended result code of SQLite. SQLite defines the codes and adds new ones in its releases.
public struct ResultCode: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: CInt

    public init(rawValue: CInt) { self.rawValue = rawValue }

    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    public static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    /// The index of the write-ahead log, a separate file of at least 32 KiB, cannot be made large enough.
    public static let noRoomForIndex = ResultCode(rawValue: SQLITE_IOERR | (19 << 8))
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

    /// The primary code, without the detail of an extended code.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    public var description: String { "\(rawValue) (\(String(cString: sqlite3_errstr(rawValue))))" }
}
