// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkClient

/// The promises of hooks: nothing is lost, the order is kept, and one service at a time delivers.
@Suite(
    "Faults of hooks", .enabled(if: FaultRuns.isAsked, Comment(rawValue: FaultRuns.how)),
    .enabled(if: access(HookReceiver.python, X_OK) == 0, "the receiver needs Python"), .serialized,
    .inTurn)
struct HookFaultTests {
    enum Fault: CaseIterable { case killed, frozen, cutOff }

    /// A heartbeat's time of five seconds, a turn of the next holder, and a busy machine.
    private static let takeover = 8.0

    @Test("23 kills of storage, query services and receiver, answers of 500 and none: each change comes, in order")
    func row23() async throws {
        try await withScene(queries: 2) { scene in
            let cluster = scene.cluster
            cluster.queryFlags = HookReceiver.flags
            try scene.startAll()
            let client = try await scene.client()
            let start = try await client.hello().position.rev
            await client.close()
            let receiver = try HookReceiver(in: cluster.directory)
            defer { receiver.slay() }
            let secret = ["--from", "now", "--secret-file", receiver.secretFile]
            try scene.waymark(["hook", "add", "all", receiver.url("rough"), "--batch", "100"] + secret)
            try scene.waymark(
                ["hook", "add", "some", receiver.url("some"), "--kind", "beach", "--kind", "pub"] + secret)
            for writer in 0..<2 { try cluster.startWriter(writer, rate: 150, query: writer) }
            var kills = 0
            while try cluster.head() < start + (FaultRuns.isWhole ? 10_000 : 3_000) || kills < 8 {
                kills += 1
                switch kills % 4 {
                case 0: cluster.storage?.slay()
                case 1: cluster.queries[Int.random(in: 0..<2)]?.slay()
                default: receiver.slay()
                }
                // Somewhere within deliveries and turns.
                usleep(.random(in: 10_000...1_500_000))
                try receiver.revive()
                try cluster.revive()
                cluster.awaitStorage()
                usleep(.random(in: 300_000...1_500_000))
            }
            for writer in 0..<2 {
                cluster.clients["writer\(writer)"]?.send(SIGTERM)
                #expect(cluster.clients["writer\(writer)"]?.wait(.seconds(30)) == 0)
            }
            let truth = try cluster.truth()
            let hooks = [("rough", FilterSpec(), true), ("some", FilterSpec(kinds: ["beach", "pub"]), false)]
            for (path, filter, isBatch) in hooks {
                let last = try #require(truth.log.last { filter.operation(of: $0) != nil }).rev
                try await until("the hook \(path) has revision \(last)", within: .seconds(300)) {
                    try receiver.has(last, path)
                }
                let (repeats, problems) = try receiver.check(path, filter, isBatch: isBatch, truth, after: start)
                #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(5))")
                if isBatch { #expect(repeats > 0, "no answer was refused or missing") }
            }
            #expect(try scene.verdict(kill: false).violations.isEmpty)
        }
    }

    @Test(
        "24 the holder killed, frozen or cut off: another one delivers, and the old one no more",
        arguments: Fault.allCases)
    func row24(fault: Fault) async throws {
        try await withScene(queries: 2) { scene in
            let cluster = scene.cluster
            cluster.queryFlags = HookReceiver.flags
            // The last query service is behind the proxies.
            let (holder, other) = fault == .cutOff ? (1, 0) : (0, 1)
            try scene.startStorage()
            try cluster.startQuery(holder)
            let client = try await scene.client(query: holder)
            let receiver = try HookReceiver(in: cluster.directory)
            defer { receiver.slay() }
            try scene.waymark(
                [
                    "hook", "add", "steady", receiver.url("steady"), "--from", "now", "--secret-file",
                    receiver.secretFile,
                ],
                query: holder)
            let start = try await client.hello().position.rev
            let first = try await client.add(Watch.draft("first")).rev
            try await until("the only query service delivers") { try receiver.has(first, "steady") }
            await client.close()
            try cluster.startQuery(other)
            try await scene.client(query: other).close()
            try cluster.startWriter(0, rate: 40, query: other)
            try await scene.grows(by: 200)
            let begun = Date.now.timeIntervalSince1970
            switch fault {
            case .killed: cluster.queries[holder]?.slay()
            case .frozen: cluster.queries[holder]?.send(SIGSTOP)
            // Changes still come to the holder, so that only the lease keeps it from delivering them.
            case .cutOff: cluster.commandProxy.freeze(true)
            }
            usleep(fault == .frozen && FaultRuns.isWhole ? 60_000_000 : 15_000_000)
            let ended = Date.now.timeIntervalSince1970
            switch fault {
            case .killed: try cluster.startQuery(holder)
            case .frozen: cluster.queries[holder]?.send(SIGCONT)
            case .cutOff: cluster.commandProxy.freeze(false)
            }
            try await scene.grows(by: 200)
            cluster.clients["writer0"]?.send(SIGTERM)
            #expect(cluster.clients["writer0"]?.wait(.seconds(30)) == 0)
            let truth = try cluster.truth()
            try await until("revision \(truth.head) has come") { try receiver.has(truth.head, "steady") }
            let (_, problems) = try receiver.check("steady", FilterSpec(), isBatch: false, truth, after: start)
            #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(5))")
            let notes = try receiver.notes("steady")
            let times = [begun] + notes.map(\.at).filter { (begun...ended).contains($0) }.sorted() + [ended]
            let pause = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
            #expect(pause < Self.takeover, "nothing came for \(pause) s")
            // The next holder repeats what had not been noted. Later nothing comes twice, except the one message that the
            // old holder was sending when it was frozen.
            let known = Set(notes.filter { $0.at < begun + Self.takeover }.map(\.message))
            let later = notes.filter { $0.at >= begun + Self.takeover }.map(\.message)
            let repeats = later.count - Set(later).subtracting(known).count
            #expect(repeats <= (fault == .frozen ? 1 : 0), "\(repeats) messages came again")
            let hook = try scene.waymark(["hook", "show", "steady", "-o", "json"], query: other)
            #expect(hook.contains("active"))
        }
    }

    @Test("25 a restored database starts with its hooks paused, until they are resumed", .onSQLite("waymark restore"))
    func row25() async throws {
        try await withScene { scene in
            let cluster = scene.cluster
            cluster.queryFlags = HookReceiver.flags
            try scene.startAll()
            var client = try await scene.client()
            let receiver = try HookReceiver(in: cluster.directory)
            defer { receiver.slay() }
            try scene.waymark([
                "hook", "add", "orders", receiver.url("orders"), "--from", "now", "--secret-file", receiver.secretFile,
            ])
            let first = try await client.add(Watch.draft("first")).rev
            try await until("the first change has come") { try receiver.has(first, "orders") }
            await client.close()
            try scene.waymark(["backup", "\(cluster.directory)/backup"])
            cluster.queries[0]?.slay()
            cluster.storage?.send(SIGTERM)
            #expect(cluster.storage?.wait() == 0)
            try scene.waymark(
                ["restore", "\(cluster.directory)/backup", "--data", "\(cluster.directory)/data", "--force"], query: nil
            )
            try scene.startAll()
            client = try await scene.client()
            for number in 0..<5 { _ = try await client.add(Watch.draft("silent\(number)")) }
            let hook = try scene.waymark(["hook", "show", "orders", "-o", "json"])
            #expect(hook.contains("paused"), "\(hook)")
            // Longer than a service takes to ask for hooks.
            usleep(8_000_000)
            #expect(try receiver.notes("orders").count == 1)
            try scene.waymark(["hook", "resume", "--all", "--from", "now"])
            let start = try await client.hello().position.rev
            let last = try await client.add(Watch.draft("told")).rev
            try await until("the change after the resumption has come") { try receiver.has(last, "orders") }
            await client.close()
            let new = try receiver.notes("orders").dropFirst().flatMap(\.events)
            let epoch = try cluster.truth().epoch
            #expect(new.map(\.id) == ["\(epoch)-\(last)"] && start + 1 == last)
        }
    }
}
