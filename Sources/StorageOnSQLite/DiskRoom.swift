// SPDX-License-Identifier: Apache-2.0

import Glibc
import StorageRules

/// The free bytes of a file system.
package enum DiskRoom {
    /// Returns the number of bytes that this process may still use on the file system of `path`; nil if it is unknown.
    package static func left(at path: String) -> UInt64? {
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
        return isTooMany ? .max : bytes
    }

    /// Throws ``EngineError/full`` if fewer than `bytes` are free. An unknown number of free bytes counts as enough.
    static func require(_ bytes: UInt64, at path: String) throws(EngineError) {
        if let left = left(at: path), left < bytes { throw .full }
    }
}
