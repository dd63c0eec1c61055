// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

@Suite("Health commands", .inTurn)
struct ProcessHealthTests {
    @Test("a query service is alive before its landmarks are loaded, ready afterwards, and ready without storage")
    func query() async throws {
        try await withBench { bench in
            let commands = "ipc://\(bench.path)/commands.ipc"
            try bench.write("data: data\nlisten: \(commands)\nchanges: ipc://\(bench.path)/changes.ipc\n", to: "s.yaml")
            try bench.write("listen: ipc://\(bench.path)/query.ipc\nstorage: \(commands)\n", to: "q.yaml")
            func health(_ service: String, _ more: String...) async throws -> ProcessResult {
                let file = service == "query" ? "q.yaml" : "s.yaml"
                return try await bench.finish("waymark-\(service)", ["health", "--config", file] + more)
            }
            let nobody = try await health("query", "--timeout", "200ms", "--live")
            #expect(nobody.status == 1 && nobody.out == ["Nobody listens at ipc://\(bench.path)/query.ipc."])

            let query = try bench.start("waymark-query", ["--config", "q.yaml"])
            _ = try await query.err.next { $0.contains("query listening") }
            let starting = try await health("query", "--timeout", "60s")
            #expect(starting.status == 1 && starting.out.count == 1, "\(starting)")
            #expect(starting.out.first?.contains("not loaded yet: storage at \(commands)") == true)
            let alive = try await health("query", "--live", "--timeout", "60s")
            #expect(alive.status == 0 && alive.out == ["live"] && alive.err.isEmpty)

            let storage = try bench.start("waymark-storage", ["--config", "s.yaml"])
            _ = try await query.err.next { $0.contains("query ready") }
            for service in ["storage", "query"] {
                var ready = try await health(service, "--timeout", "60s")
                // A disk that needs more than half a second for a small file is a problem: a busy one may.
                let deadline = ContinuousClock.now + .seconds(120)
                while ready.status != 0, ContinuousClock.now < deadline {
                    ready = try await health(service, "--timeout", "60s")
                }
                #expect(ready.status == 0 && ready.out == ["ready"] && ready.err.isEmpty, "\(ready)")
            }
            // Configured by the same environment and flags as the service.
            let other = try await bench.finish(
                "waymark-storage", ["health", "--timeout=200ms"],
                environment: ["WAYMARK_STORAGE_LISTEN": "ipc://\(bench.path)/nobody.ipc"])
            #expect(other.status == 1 && other.out.first?.contains("nobody.ipc") == true)
            for wrong in [["--lisen", "x"], ["--timeout", "soon"], ["--listen", "tcp://127.0.0.1:*"]] {
                let refused = try await bench.finish("waymark-storage", ["health"] + wrong)
                #expect(refused.status == 2 && refused.out.isEmpty && refused.err.count == 1, "\(refused)")
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: bench.path + "/data").allSatisfy {
                    $0 != ".health-probe"
                })
            try await storage.slain()
            _ = try await query.err.next { $0.contains("storage is away") }
            let alone = try await health("query", "--timeout", "60s")
            #expect(alone.status == 0 && alone.out.first == "ready" && alone.out.count == 2, "\(alone)")
            #expect(alone.out.last?.contains("answered from the replica") == true)
            #expect(try await health("storage", "--timeout", "200ms").status == 1)
        }
    }

    @Test("storage is not ready while its disk is full, and is ready again by itself", .enabled(if: Disk.isPossible))
    func fullDisk() async throws {
        try await withBench { bench in
            let disk = try Disk(bench.path + "/disk")
            defer { disk.close() }
            try bench.write(
                "data: disk\nlisten: ipc://\(bench.path)/s.ipc\nchanges: ipc://\(bench.path)/c.ipc\n"
                    + "disk: { reserve: 0B }\n", to: "s.yaml")
            let storage = try bench.start("waymark-storage", ["--config", "s.yaml"])
            _ = try await storage.err.next { $0.contains("storage ready") }
            /// A disk that is slow on a busy machine is another problem, which passes.
            func untilHealth(_ status: Int32, _ line: String) async throws -> ProcessResult {
                var result: ProcessResult?
                try await until("health is \(status), after \(String(describing: result))", within: .seconds(120)) {
                    result = try await bench.finish(
                        "waymark-storage", ["health", "--config", "s.yaml", "--timeout", "60s"])
                    return result?.status == status && result?.out == [line]
                }
                return try #require(result)
            }
            #expect(try await untilHealth(0, "ready").out == ["ready"])
            try disk.fill()
            let told = "The disk that holds \(bench.path)/disk is full: make room."
            let full = try await untilHealth(1, told)
            #expect(full.status == 1 && full.out == [told])
            let live = try await bench.finish(
                "waymark-storage", ["health", "--config", "s.yaml", "--live", "--timeout", "60s"])
            #expect(live.status == 0, "\(live)")
            try disk.empty()
            #expect(try await untilHealth(0, "ready").out == ["ready"])
            // A full disk that no write has hit is not logged as a failure.
            #expect(!storage.err.all.contains { $0.contains("commit failed") })
            storage.send(SIGTERM)
            #expect(try await storage.ended() == 0)
        }
    }

    @Test("help shows the command, and no line is longer than a terminal", arguments: ["storage", "query"])
    func help(service: String) async throws {
        try await withBench { bench in
            for arguments in [["--help"], ["health", "--help"]] {
                let help = try await bench.finish("waymark-\(service)", arguments, environment: ["COLUMNS": "80"])
                #expect(help.status == 0 && help.err.isEmpty)
                #expect(help.out.contains { $0.contains("waymark-\(service) health") })
                #expect(help.out.allSatisfy { $0.count <= 80 }, "\(help.out.filter { $0.count > 80 })")
                // A variable that was wrapped from its line would stand at the beginning.
                #expect(!help.out.contains { $0.hasPrefix("WAYMARK_") })
            }
        }
    }

    /// A small file system in memory.
    private struct Disk {
        let path: String

        static let isPossible: Bool = {
            guard let bench = try? ProcessBench(), let disk = try? Disk(bench.path + "/disk") else { return false }
            disk.close()
            try? FileManager.default.removeItem(atPath: bench.path)
            return true
        }()

        init(_ path: String) throws {
            self.path = path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard mount("tmpfs", path, "tmpfs", UInt(MS_NOSUID), "size=8m") == 0 else {
                throw Overdue(description: "No tmpfs can be mounted: errno \(errno).")
            }
        }

        func close() { umount2(path, Int32(MNT_DETACH)) }

        func fill() throws {
            let file = open("\(path)/ballast", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            guard file >= 0 else { throw Overdue(description: "No ballast: errno \(errno).") }
            defer { Glibc.close(file) }
            let block = [UInt8](repeating: 1, count: 4_096)
            while write(file, block, block.count) > 0 {}
        }

        func empty() throws { try FileManager.default.removeItem(atPath: "\(path)/ballast") }
    }
}
