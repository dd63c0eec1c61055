// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import Landmarks
import TestProcess
import TestTurns
import Testing
import WaymarkClient

@Suite("Signals", .inTurn)
struct ProcessSignalTests {
    @Test("SIGTERM under load: exits soon with 0, no acknowledged write is lost, and clients continue after a restart")
    func drain() async throws {
        try await withProcessPair(.tcp) { pair in
            let journal = Awaited(KillJournal())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask { try await Self.write(as: writer, pair, journal) }
                }
                defer { journal.update { $0.isOver = true } }
                for round in 0..<6 {
                    let enough = journal.read { $0.acknowledged.count } + 40
                    try await journal.wait(.seconds(100), for: "\(enough) adds; have \(journal.now)") {
                        $0.acknowledged.count >= enough ? () : nil
                    }
                    let program = round % 3 == 2 ? pair.query : pair.storage
                    let begun = ContinuousClock.now
                    program.send(round % 2 == 0 ? SIGTERM : SIGINT)
                    #expect(try await program.ended() == 0)
                    // On an idle machine it takes some milliseconds.
                    #expect(ContinuousClock.now - begun < .seconds(100))
                    let lines = try await program.err.complete()
                    #expect(lines.contains { $0.contains("stopping") } && lines.last?.contains("stopped") == true)
                    if round % 3 == 2 {
                        try await pair.startQuery()
                    } else {
                        let log = "\(pair.bench.path)/data/waymark.sqlite-wal"
                        let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
                        #expect(size ?? 0 == 0, "the log of writes is in the database")
                        try await pair.startStorage()
                    }
                }
                let enough = journal.read { $0.acknowledged.count } + 40
                try await journal.wait(.seconds(100), for: "adds after the last stop") {
                    $0.acknowledged.count >= enough ? () : nil
                }
                journal.update { $0.isOver = true }
                try await group.waitForAll()
            }
            try await withClient(try await pair.client()) { client in
                let log = try await ProcessHistory.all(client)
                let byName = Dictionary(grouping: log, by: \.landmark.name)
                let acknowledged = journal.now.acknowledged
                #expect(
                    acknowledged.allSatisfy { byName[$0.key]?.count == 1 && byName[$0.key]?[0].rev == $0.value.rev })
                #expect(byName.values.allSatisfy { $0.count == 1 })
                // Every client whose request was refused or cut off repeated it by itself, and got an answer.
                #expect(journal.now.unanswered.isEmpty, "\(journal.now)")
            }
        }
    }

    private static func write(as writer: Int, _ pair: ProcessPair, _ journal: Awaited<KillJournal>) async throws {
        try await withClient(try await pair.client(user: "writer \(writer)", timeout: .seconds(60))) { client in
            for number in 0... {
                if journal.read({ $0.isOver }) { break }
                let name = "landmark \(writer)/\(number)"
                let place = try Coordinate(latitude: Double(writer), longitude: Double(number % 180))
                do {
                    let written = try await client.add(try LandmarkDraft(name: name, coordinate: place))
                    journal.update { $0.acknowledged[name] = written }
                } catch let error as ClientError {
                    journal.update { $0.unanswered[name] = error }
                }
            }
        }
    }

    @Test(
        "a second signal ends at once a service that hangs",
        arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
    func second(signal: Int32, status: Int32) async throws {
        try await withStalledStorage(drain: "1m") { storage in
            storage.send(SIGTERM)
            _ = try await storage.err.next { $0.contains("stopping") }
            storage.send(signal)
            #expect(try await storage.ended(within: .seconds(50)) == status)
            #expect(try await storage.err.complete().last?.contains("second signal") == true)
        }
    }

    @Test("a drain that takes too long is cut off")
    func bound() async throws {
        try await withStalledStorage(drain: "500ms") { storage in
            storage.send(SIGTERM)
            let status = try await storage.ended()
            #expect(status == 1)
            #expect(try await storage.err.complete().last?.contains("took longer than 500 ms") == true)
        }
    }

    @Test("as pid 1 it stops at a signal", .enabled(if: geteuid() == 0), arguments: ["storage", "query"])
    func firstProcess(service: String) async throws {
        try await withBench { bench in
            let flags = service == "storage" ? ["--data", "data", "--changes", "ipc://\(bench.path)/c"] : []
            let unshare = try bench.start(
                "/usr/bin/unshare",
                ["--pid", "--fork", "--mount-proc", "\(Products.folder)/waymark-\(service)"] + flags
                    + ["--listen", "ipc://\(bench.path)/s", "--drain", "1m"])
            _ = try await unshare.err.next { $0.contains("\(service) ready") || $0.contains("\(service) listening") }
            let children = try String(
                contentsOfFile: "/proc/\(unshare.pid)/task/\(unshare.pid)/children", encoding: .utf8)
            let pid = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            try #require(status.split(separator: "\n").contains { $0.hasPrefix("NSpid:") && $0.hasSuffix("\t1") })
            kill(pid, SIGHUP)
            _ = try await unshare.err.next { $0.contains("settings reloaded") }
            kill(pid, SIGTERM)
            #expect(try await unshare.ended() == 0)
        }
    }

    /// Runs `body` with a storage whose loop hangs in a commit.
    private func withStalledStorage(drain: String, _ body: (Child) async throws -> Void) async throws {
        try await withBench { bench in
            let endpoint = "ipc://\(bench.path)/s.ipc"
            try bench.write(
                "data: data\nlisten: \(endpoint)\nchanges: ipc://\(bench.path)/c.ipc\ndrain: \(drain)\n", to: "s.yaml")
            let storage = try bench.start(
                "waymark-storage", ["--config", "s.yaml"],
                environment: ["WAYMARK_FAILPOINTS": "before-commit=stall:600000"])
            _ = try await storage.err.next { $0.contains("storage ready") }
            let client = try await WaymarkClient(.init(endpoint: endpoint, user: "ann", timeout: .seconds(60)))
            let adding = Task {
                _ = try? await client.add(
                    try LandmarkDraft(name: "x", coordinate: try Coordinate(latitude: 0, longitude: 0)))
            }
            // The commit has begun when health requests are no longer answered. A busy machine takes a while to answer.
            try await until("it hangs", within: .seconds(120)) {
                try await bench.finish(
                    "waymark-storage", ["health", "--config", "s.yaml", "--timeout", "5s", "--live"]
                ).status != 0
            }
            try await body(storage)
            await client.close()
            await adding.value
        }
    }
}
