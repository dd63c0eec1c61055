// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import PostgreSQL
import TestTurns
import Testing

@testable import TestPostgreSQL
import TestProcess

@Suite("Servers of tests", .ifPostgreSQLIsInstalled, .computing)
struct TestServerTests {
    @Test("a server and its files are gone with their object, also when it hangs")
    func gone() throws {
        for hangs in [false, true] {
            var server: TestServer? = try TestServer()
            let directory = try #require(server?.directory)
            let text = try String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
            let pid = try #require(text.split(separator: "\n").first.flatMap { pid_t($0) })
            let all = [pid] + Processes.children(of: pid)
            #expect(all.count > 3 && all.allSatisfy { Processes.isRunning($0) })
            if hangs { server?.pause() }
            let start = ContinuousClock.now
            server = nil
            // In order, and not by the signals that come when that has not helped.
            #expect(ContinuousClock.now - start < .seconds(14))
            #expect(!all.contains { Processes.isRunning($0) })
            #expect(!FileManager.default.fileExists(atPath: directory))
        }
    }

    @Test("what was committed is there after a crash, and after a stop; psql tells its errors")
    func again() throws {
        let server = try TestServer(TestServer.Options(fsync: true))
        defer { server.close() }
        _ = try server.psql("CREATE TABLE t (k int); INSERT INTO t VALUES (1)")
        #expect(try server.psql("SHOW fsync") == "on")
        server.crash()
        #expect(!server.isRunning)
        try server.start()
        #expect(server.isRunning)
        #expect(try server.psql("INSERT INTO t VALUES (2) RETURNING k") == "2")
        server.stop()
        server.stop()
        try server.start()
        #expect(try server.psql("SELECT count(*), max(k) FROM t") == "2|2")
        let query = #expect(throws: TestServerError.self) { try server.psql("SELECT nothing") }
        #expect(query?.description.contains("does not exist") == true)
        let start = #expect(throws: TestServerError.self) {
            try TestServer(TestServer.Options(settings: ["no_such_setting=1"]))
        }
        #expect(start?.description.contains("no_such_setting") == true)
    }

    @Test("a server does not outlive the tests, also when they stopped it and were killed")
    func watchdog() throws {
        let directory = NSTemporaryDirectory() + "/waymark-watchdog-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let child = try Child(["/bin/sleep", "60"], output: .file("/dev/null"))
        var watchdog: Watchdog? = try Watchdog(child, directory: directory)
        child.send(SIGSTOP)
        try blockUntil("it is stopped") {
            try String(contentsOfFile: "/proc/\(child.pid)/stat", encoding: .utf8).contains(") T ")
        }
        #expect(child.status == nil && watchdog != nil)
        // As when the kernel closes what the tests have left open.
        watchdog = nil
        #expect(child.wait(.seconds(30)) == 128 + SIGQUIT)
        try blockUntil { !FileManager.default.fileExists(atPath: directory) }
    }
}
