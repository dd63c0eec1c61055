// SPDX-License-Identifier: Apache-2.0

import SQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How much room a file system has.
enum DiskRoom {
    /// Bytes that this process may still take where `path` is; nil when that cannot be told.
    static func left(at path: String) -> UInt64? {
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
        return isTooMany ? .max : bytes
    }
}

extension SQLiteEngine {
    /// Pages of the file that hold nothing any more.
    func reusableBytes() -> UInt64 {
        let bytes = try? writer.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            return pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        return UInt64(max(0, bytes ?? 0))
    }
}
