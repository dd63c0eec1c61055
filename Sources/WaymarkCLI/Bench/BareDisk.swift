// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import WaymarkClient

/// The folder to which a write test's comparison without a service writes, and the reasons to doubt that comparison.
struct BareDisk: Sendable {
    let directory: String
    /// Whether storage writes to the same disk as this folder.
    let isOfStorage: Bool

    var remarks: [String] {
        var remarks: [String] = []
        if Self.isMemory(directory) {
            remarks.append(
                "The bare disk is memory: \(directory) is a tmpfs, where a flush costs nothing. Set TMPDIR to a folder on "
                    + "the disk.")
        }
        if !isOfStorage {
            remarks.append(
                "The bare disk is measured in \(directory), which may be on another disk than the tested service's: "
                    + "with --embedded both are on the same.")
        }
        return remarks
    }

    /// Whether the path is on a file system that keeps its files in memory, according to `/proc/self/mounts`.
    static func isMemory(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        return ["tmpfs", "ramfs"].contains(fileSystem(of: String(cString: resolved), in: mounts))
    }

    /// Returns the type of the deepest mount that contains `path`; the last such mount if several have the same mount
    /// point. (proc(5), fstab(5): a space in a path is written `\040`.)
    static func fileSystem(of path: String, in mounts: String) -> String? {
        var (depth, kind): (Int, String?) = (-1, nil)
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            let place = fields[1].replacing("\\040", with: " ")
            let folder = place.hasSuffix("/") ? place : place + "/"
            if (path + "/").hasPrefix(folder), folder.utf8.count >= depth {
                (depth, kind) = (folder.utf8.count, String(fields[2]))
            }
        }
        return kind
    }
}

/// The counts of storage's commits and commands since its start.
struct WritesSoFar: Hashable, Sendable {
    var commits: UInt64
    var commands: UInt64

    /// Returns the average number of commands in one commit; nil if nothing was committed or the number is unknown.
    static func rowsPerCommit(from before: WritesSoFar?, to after: WritesSoFar?) -> Int? {
        guard let before, let after, after.commits > before.commits, after.commands >= before.commands else {
            return nil
        }
        let (commits, commands) = (after.commits - before.commits, after.commands - before.commands)
        return max(1, Int((commands + commits / 2) / commits))
    }
}

extension WritesSoFar {
    init?(_ status: StorageStatus) {
        func value(_ name: String) -> UInt64? { status.counters.first { $0.name == name }?.value }
        guard let commits = value("commits"), let commands = value("commands") else { return nil }
        self.init(commits: commits, commands: commands)
    }
}
