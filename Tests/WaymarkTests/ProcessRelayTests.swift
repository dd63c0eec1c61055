// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestProcess
import TestTurns
import Testing
import WaymarkClient

@Suite("kill -9 of a relay under its subscribers", .inTurn)
struct ProcessRelayTests {
    enum Afterwards: CaseIterable, Sendable {
        /// It is started again at the same endpoints, three times over.
        case restarted
        /// It stays away, and its subscribers go on at the other relay.
        case gone
    }

    private static let writers = 4

    @Test("each of them sees every change once and in order", arguments: Afterwards.allCases)
    func killed(_ afterwards: Afterwards) async throws {
        try await withBench { bench in
            func endpoint(_ name: String) -> String { "ipc://\(bench.path)/\(name)" }
            try bench.write(
                "data: data\nlisten: \(endpoint("s"))\nchanges: \(endpoint("c"))\nbeacon: 200ms\n", to: "storage.yaml")
            let storage = try bench.start("waymark-storage", ["--config", "storage.yaml"])
            _ = try await storage.err.next { $0.contains("storage ready") }
            func startRelay(_ number: Int) async throws -> Child {
                try bench.write(
                    "listen: \(endpoint("q\(number)"))\nstorage: \(endpoint("s"))\n"
                        + "relay: { listen: \"\(endpoint("r\(number)"))\" }\n", to: "relay\(number).yaml")
                let relay = try bench.start("waymark-query", ["--config", "relay\(number).yaml"])
                _ = try await relay.err.next { $0.contains("query ready") }
                return relay
            }
            var relay = try await startRelay(0)
            _ = try await startRelay(1)

            let journal = Awaited(Journal())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        var options = ClientOptions(user: "ann", timeout: .seconds(60))
                        options.endpoints = [endpoint("q0")] + (afterwards == .gone ? [endpoint("q1")] : [])
                        try await withClient(try await WaymarkClient(options)) { client in
                            try await Self.follow(client, number, journal)
                        }
                    }
                }
                try await journal.wait(.seconds(120), for: "subscribers") { $0.following == 6 ? () : nil }
                let writing = Task { try await Self.write(endpoint("q1"), journal) }
                defer { writing.cancel() }
                for _ in 0..<(afterwards == .restarted ? 3 : 1) {
                    let enough = journal.read { $0.written.count } + 150
                    try await journal.wait(.seconds(120), for: "writes") { $0.written.count >= enough ? () : nil }
                    // Each of them follows by now: it has the newest change that all of them see.
                    let newest = journal.read { $0.written.filter { $0.value }.keys.max() ?? 0 }
                    try await journal.wait(.seconds(120), for: "subscribers that follow") {
                        $0.reached.values.count { $0 >= newest } == 6 ? () : nil
                    }
                    try await relay.slain()
                    let meanwhile = journal.read { $0.written.count } + 50
                    try await journal.wait(.seconds(120), for: "writes meanwhile") {
                        $0.written.count >= meanwhile ? () : nil
                    }
                    if afterwards == .restarted { relay = try await startRelay(0) }
                }
                let enough = journal.read { $0.written.count } + 150
                try await journal.wait(.seconds(120), for: "writes") { $0.written.count >= enough ? () : nil }
                journal.update { $0.isOver = true }
                try await writing.value
                try await group.waitForAll()
            }
            // What was restarted or left was really followed: each of them has noticed.
            #expect(journal.read { $0.interrupted } == 6)
        }
    }

    private struct Journal {
        /// Subscribers that have seen the beginning.
        var following = 0
        /// The revisions of acknowledged writes, and whether each is a tenth.
        var written: [UInt64: Bool] = [:]
        var isOver = false
        /// The last revision, once no more are written.
        var last: UInt64?
        /// How far each subscriber has come, by its number.
        var reached: [Int: UInt64] = [:]
        /// Subscribers that were told of a gap or a loss.
        var interrupted = 0
    }

    /// Adds landmarks at a query service that lives, several at once, until it is told to stop.
    private static func write(_ endpoint: String, _ journal: Awaited<Journal>) async throws {
        try await withClient(
            try await WaymarkClient(.init(endpoint: endpoint, user: "ann", timeout: .seconds(60)))
        ) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        var number = 0
                        while !journal.read({ $0.isOver }) {
                            try await add(number % 10 == 0, "\(writer) \(number)", client, journal)
                            try await Task.sleep(for: .milliseconds(5))
                            number += 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            // A tenth, so that every subscriber sees the end.
            let last = try await add(true, "last", client, journal)
            journal.update { $0.last = last }
        }
    }

    @discardableResult
    private static func add(
        _ isTenth: Bool, _ name: String, _ client: WaymarkClient, _ journal: Awaited<Journal>
    ) async throws -> UInt64 {
        let place = try Coordinate(latitude: 1, longitude: 2)
        let written = try await client.add(
            LandmarkDraft(name: name, coordinate: place, kind: isTenth ? "tenth" : "other"))
        journal.update { $0.written[written.rev] = isTenth }
        return written.rev
    }

    /// Follows from the beginning to the last change, and compares.
    private static func follow(_ client: WaymarkClient, _ number: Int, _ journal: Awaited<Journal>) async throws {
        let onlyTenths = number % 2 == 1
        var start = try await client.hello().position
        start.rev = 0
        var (revs, isInterrupted): ([UInt64], Bool) = ([], false)
        journal.update { $0.following += 1 }
        let filter = onlyTenths ? FeedFilter(kinds: ["tenth"]) : .everything
        following: for try await item in client.feed(since: .after(start), matching: filter) {
            switch item {
            case .change(let change):
                let rev = change.position.rev
                revs.append(rev)
                journal.update { $0.reached[number] = rev }
                if change.change.landmark.name == "last" { break following }
            case .lost, .gap: isInterrupted = true
            default: break
            }
        }
        let last = try await journal.wait(.seconds(120), for: "the end") { $0.last }
        let written = journal.read { $0.written }
        #expect(written.count == Int(last) && written[last] == true)
        let expected = written.filter { $0.value || !onlyTenths }.keys.sorted()
        let isExact = revs == expected
        let missing = Set(expected).subtracting(revs).sorted()
        #expect(isExact, "\(revs.count) of \(expected.count), missing \(missing.prefix(20))")
        if isInterrupted { journal.update { $0.interrupted += 1 } }
    }
}
