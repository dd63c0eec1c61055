// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A small file system in memory, and a way to fill it.
public final class Tmpfs {
    /// Whether this process can mount a file system, which needs root.
    public static let isPossible: Bool = {
        let path = FileManager.default.temporaryDirectory.path + "/waymark-tmpfs-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard let disk = try? Tmpfs(at: path, megabytes: 1) else { return false }
        disk.close()
        return true
    }()

    private let path: String
    private var isMounted = true

    public init(at path: String, megabytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", UInt(MS_NOSUID), "size=\(megabytes)m") == 0 else {
            throw FaultError("no tmpfs at \(path): errno \(errno)")
        }
    }

    deinit { close() }

    public func close() {
        guard isMounted else { return }
        isMounted = false
        umount2(path, Int32(MNT_DETACH))
    }

    /// Fills the file system except for this many bytes.
    public func fill(leaving bytes: Int) throws {
        let file = open("\(path)/ballast", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FaultError("no ballast: errno \(errno)") }
        defer { Glibc.close(file) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(file, block, block.count) > 0 {}
        guard bytes > 0 else { return }
        ftruncate(file, lseek(file, 0, SEEK_CUR) - off_t(bytes))
    }

    /// Cuts the file before removing it: a removed file that anybody holds open keeps its room.
    public func empty() throws {
        guard truncate("\(path)/ballast", 0) == 0 else { throw FaultError("the ballast stays: errno \(errno)") }
        try FileManager.default.removeItem(atPath: "\(path)/ballast")
    }
}
