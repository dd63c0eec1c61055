// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestProcess
import TestTurns
import Testing
import WaymarkClient

/// How often storage is killed: 20 times, or the number in `WAYMARK_KILLS`.
private let kills = ProcessInfo.processInfo.environment["WAYMARK_KILLS"].flatMap { Int($0) } ?? 20

// A kill with its recovery takes about half a second; on a busy machine several times as long.
@Suite("kill -9 during writes", .inTurn(minutes: 15 + kills / 10))
struct ProcessKillTests {
    private static let writers = 4

    @Test("no acknowledged write is missing or repeated, and tail has every revision once and in order")
    func storageAndQueryAreKilled() async throws {
        try await withProcessPair(.tcp) { pair in
            let tail = try pair.start("tail", "-o", "json", "--since", "0")
            let acknowledged = Awaited(KillJournal())
            let writers = try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<Self.writers {
                    group.addTask { try await Self.write(as: writer, pair, acknowledged) }
                }
                group.addTask { try await Self.kill(pair, acknowledged) }
                // The first to end is the killer, or a task with an error.
                defer { acknowledged.update { $0.isOver = true } }
                try await group.next()
                acknowledged.update { $0.isOver = true }
                try await group.waitForAll()
                return acknowledged.now
            }
            try await withClient(try await pair.client()) { client in
                try await Self.check(writers, client)
                try await Self.check(tail, client)
            }
        }
    }

    /// Adds landmarks one after another, each under a unique name, until it is stopped.
    private static func write(as writer: Int, _ pair: ProcessPair, _ journal: Awaited<KillJournal>) async throws {
        try await withClient(try await pair.client(user: "writer \(writer)")) { client in
            for number in 0... {
                if journal.read({ $0.isOver }) { break }
                let name = "landmark \(writer)/\(number)"
                let draft = try LandmarkDraft(
                    name: name, coordinate: try Coordinate(latitude: Double(writer), longitude: Double(number % 180)))
                do {
                    let written = try await client.add(draft)
                    journal.update { $0.acknowledged[name] = written }
                } catch let error as ClientError {
                    guard error.mayPass else { throw error }
                    journal.update { $0.unanswered[name] = error }
                }
            }
        }
    }

    private static func kill(_ pair: ProcessPair, _ journal: Awaited<KillJournal>) async throws {
        for number in 1...kills {
            let enough = journal.read { $0.acknowledged.count } + .random(in: 1...40)
            try await journal.wait(.seconds(120), for: "\(enough) adds; have \(journal.now)") {
                $0.acknowledged.count >= enough ? () : nil
            }
            // A random pause, so that kills do not always follow an answer.
            try await Task.sleep(for: .microseconds(.random(in: 0...20_000)))
            try await pair.storage.slain()
            if number % 7 == 3 { try await pair.query.slain() }
            try await pair.startStorage()
            if number % 7 == 3 { try await pair.startQuery() }
        }
        let enough = journal.read { $0.acknowledged.count } + 20
        try await journal.wait(.seconds(120), for: "adds after the last kill") {
            $0.acknowledged.count >= enough ? () : nil
        }
    }

    private static func check(_ journal: KillJournal, _ client: WaymarkClient) async throws {
        let log = try await ProcessHistory.all(client)
        #expect(log.map(\.rev) == Array(1...UInt64(log.count)))
        #expect(log.allSatisfy { $0.operation == .added })
        let byName = Dictionary(grouping: log, by: \.landmark.name)
        let repeated = byName.filter { $0.value.count > 1 }.keys.sorted()
        #expect(repeated.isEmpty, "no name was added twice")
        #expect(Set(journal.acknowledged.values.map(\.rev)).count == journal.acknowledged.count)
        let missing = journal.acknowledged.filter { name, written in
            byName[name]?.contains { $0.rev == written.rev && $0.landmark.id == written.id } != true
        }
        #expect(missing.isEmpty, "what was acknowledged is there, as it was acknowledged")
        let strangers = Set(byName.keys).subtracting(journal.acknowledged.keys).subtracting(journal.unanswered.keys)
        #expect(strangers.isEmpty)

        let listed = try await ProcessHistory.landmarks(client)
        #expect(listed.count == log.count)
        #expect(Set(listed) == Set(log.map(\.landmark)), "the replica is what the log says")
        let done = journal.unanswered.keys.filter { byName[$0] != nil }.count
        print(
            "kill -9: \(kills) kills, \(journal.acknowledged.count) acknowledged, "
                + "\(journal.unanswered.count) unanswered (\(done) of them done), head \(log.count)")
    }

    private static func check(_ tail: Child, _ client: WaymarkClient) async throws {
        let head = try await client.hello().position.rev
        _ = try await tail.out.next { $0.contains("\"rev\":\(head),\"at\"") }
        tail.send(SIGTERM)
        #expect(try await tail.ended() == 143)
        let lines = try await tail.out.complete()
        let revisions = try lines.map { line in
            let change = try ProcessJSON(line)
            #expect(change["type"] == "change")
            return change.number("rev")
        }
        #expect(revisions == (1...head).map(Double.init))
    }
}
