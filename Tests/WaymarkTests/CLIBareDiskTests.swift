// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import WaymarkCLI

@Suite("The bare disk", .inShortTurn)
struct CLIBareDiskTests {
    @Test("a file system in memory is distinguished from a disk")
    func memory() throws {
        let mounts = try String(contentsOfFile: "/proc/mounts", encoding: .utf8).split(separator: "\n")
        let fields = mounts.map { $0.split(separator: " ") }.filter { $0.count > 2 }
        let memory = fields.last { $0[2] == "tmpfs" && access(String($0[1]), R_OK) == 0 }
        if let memory { #expect(BareDisk.isMemory(String(memory[1])), "\(memory)") }
        #expect(!BareDisk.isMemory("/proc") && !BareDisk.isMemory("/nowhere"))
    }

    @Test("the deepest mount decides, and at one place the last one")
    func mounts() {
        let mounts = """
            none / ext4 rw 0 0
            a /tmp tmpfs rw 0 0
            b /tmp/my\\040disk xfs rw 0 0
            c /data ext4 rw 0 0
            d /data ramfs rw 0 0
            """
        for (path, kind) in [
            ("/tmp", "tmpfs"), ("/tmp/a", "tmpfs"), ("/tmpest", "ext4"), ("/tmp/my disk/x", "xfs"),
            ("/data/x", "ramfs"),
        ] { #expect(BareDisk.fileSystem(of: path, in: mounts) == kind, "\(path)") }
        #expect(BareDisk.fileSystem(of: "/tmp", in: "") == nil)
    }

    @Test("a disk other than storage's is reported")
    func others() {
        #expect(BareDisk(directory: "/proc", isOfStorage: true).remarks.isEmpty)
        let other = BareDisk(directory: "/proc", isOfStorage: false).remarks
        #expect(other.count == 1 && other[0].contains("--embedded"))
    }
}
