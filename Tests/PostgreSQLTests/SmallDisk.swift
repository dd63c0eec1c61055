// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A file system in memory with little room.
final class SmallDisk {
    let path: String
    private var isMounted = true

    /// - Parameter owned: its owner becomes that of the disk.
    init(at path: String, like owned: String, megabytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", UInt(MS_NOSUID), "size=\(megabytes)m") == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        var status = stat()
        stat(owned, &status)
        chown(path, status.st_uid, status.st_gid)
        chmod(path, 0o700)
    }

    deinit { close() }

    func close() {
        guard isMounted else { return }
        isMounted = false
        umount2(path, CInt(MNT_DETACH))
    }
}
