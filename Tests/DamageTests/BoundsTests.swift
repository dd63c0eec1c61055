// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Glibc
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

/// The table of bounds in the documentation of StorageService and QueryService, checked from outside: the memory of
/// real processes while peers misbehave, and honest clients that must be served meanwhile.
@Suite(
    "Memory and descriptors are bounded whatever clients do",
    .enabled(if: FaultRuns.isAsked, Comment(rawValue: FaultRuns.how)), .inTurn, .serialized)
struct BoundsTests {
    private static let mebibyte = 1 << 20
    private static let text = String(repeating: "n", count: 10_000)

    /// The most bytes that 10,000 characters of ordinary text may have.
    private static let wide = String(repeating: "👨‍🚀", count: 10_000)

    private func counter(_ name: String, _ counters: [ServiceCounter]?) -> UInt64 {
        counters?.first { $0.name == name }?.value ?? 0
    }

    private func header(_ sequence: UInt64) throws -> [UInt8] {
        try WireRequestHeader.with {
            $0.client = UUIDv7(high: 7, low: 7).wire
            $0.sequence = sequence
            $0.user = "mute"
            $0.timeoutMs = 120_000
        }.serializedBytes()
    }

    /// Adds landmarks with this many notes of 10 kB each.
    private func fill(_ client: WaymarkClient, landmarks: Int, notes: Int, text: String = BoundsTests.text) async throws
        -> [Landmark.ID]
    {
        var ids: [Landmark.ID] = []
        for number in 0..<landmarks {
            let draft = try LandmarkDraft(
                name: "place \(number)", coordinate: Coordinate(latitude: 1, longitude: Double(number) / 100))
            let added = try await client.add(draft, note: text)
            for _ in 1..<max(1, notes) { _ = try await client.addNote(to: added.id, text) }
            ids.append(added.id)
        }
        return ids
    }

    @Test("clients that ask for pages and never read them", arguments: ["storage", "query"])
    func askersThatDoNotRead(service: String) async throws {
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client()
            _ = try await fill(client, landmarks: 120, notes: 2)
            let program = try #require(service == "storage" ? stage.cluster.storage : stage.cluster.queries[0])
            let port = service == "storage" ? stage.cluster.commandPort : stage.cluster.port(0)
            let before = ProcessFigures.memory(program.pid)
            let peers = try (0..<8).map { _ in try MutePeer(port, "DEALER") }
            // Each answer has a megabyte: without a bound, a minute of requests would mean many gigabytes.
            let request: [UInt8] = try WireRequest.with {
                if service == "storage" {
                    $0.snapshot = .with { $0.limit = 10_000 }
                } else {
                    $0.list = .with { $0.limit = 1_000 }
                }
            }.serializedBytes()
            var (sequence, most, asked, slowest) = (UInt64(0), 0, 0, Duration.zero)
            let end = ContinuousClock.now + .seconds(25)
            while ContinuousClock.now < end {
                for peer in peers {
                    for _ in 0..<20 {
                        sequence += 1
                        let frames = [Signature(.request).bytes, try header(sequence), request]
                        if peer.send(frames) { asked += 1 } else { break }
                    }
                }
                let time = try await ContinuousClock().measure {
                    _ = try await client.near(Coordinate(latitude: 1, longitude: 0), limit: 1)
                }
                slowest = max(slowest, time)
                most = max(most, ProcessFigures.memory(program.pid))
                try await Task.sleep(for: .milliseconds(20))
            }
            _ = try await fill(client, landmarks: 1, notes: 1)
            let status = try await client.status()
            let counters = service == "storage" ? status.storage?.counters : status.query?.counters
            print(
                "\(service): \(asked) asked, \(before / Self.mebibyte) MiB before, at most \(most / Self.mebibyte) MiB, "
                    + "over budget \(counter("answers_over_budget", counters)), held "
                    + "\(counter("answer_bytes_held", counters) / 1_048_576) MiB, slowest honest answer \(slowest)")
            #expect(counter("answers_over_budget", counters) > 0)
            // 256 MiB of answers are held, and each of 128 reads under way may have a page and its encoding: 512 MiB, and
            // half as much again for what the allocator keeps of them in the arenas of its threads.
            #expect(most < before + 768 * Self.mebibyte)
            #expect(program.status == nil)
            await client.close()
        }
    }

    @Test("2,000 connections that do nothing")
    func idleConnections() async throws {
        ProcessFigures.raiseLimit()
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client()
            _ = try await fill(client, landmarks: 1, notes: 1)
            let storage = try #require(stage.cluster.storage)
            let before = ProcessFigures.memory(storage.pid)
            var peers = try (0..<1_000).map { _ in try MutePeer(stage.cluster.commandPort, "DEALER") }
            peers += try (0..<1_000).map { _ in try MutePeer(stage.cluster.changesPort, "SUB") }
            try await until("all are there") {
                let counters = try await client.status().storage?.counters
                return counter("connections", counters) >= 1_000 && counter("feed_connections", counters) >= 1_000
            }
            let most = ProcessFigures.memory(storage.pid)
            print("2,000 idle: \(before / Self.mebibyte) MiB before, \(most / Self.mebibyte) MiB with them")
            #expect(most < before + 400 * Self.mebibyte)
            _ = try await fill(client, landmarks: 1, notes: 1)
            try await until("it rests, after what the connections have cost it") {
                let spent = ProcessFigures.time(storage.pid)
                try await Task.sleep(for: .seconds(2))
                return ProcessFigures.time(storage.pid) - spent < 1
            }
            peers.removeAll()
            try await until("all are gone") {
                let counters = try await client.status().storage?.counters
                return counter("connections", counters) < 10 && counter("feed_connections", counters) < 10
            }
            await client.close()
        }
    }

    @Test("connections beyond the limit are closed, and the existing ones stay")
    func tooManyConnections() async throws {
        try await withStage { stage in
            stage.cluster.storageFlags = ["--limits-connections", "40"]
            stage.cluster.queryFlags = ["--limits-connections", "40"]
            try stage.start()
            let client = try await stage.client()
            for port in [stage.cluster.commandPort, stage.cluster.changesPort, stage.cluster.port(0)] {
                let kind = port == stage.cluster.changesPort ? "SUB" : "DEALER"
                let peers = (0..<200).compactMap { _ in try? MutePeer(port, kind) }
                // The number of free connections, beside those of the services and the client.
                try await until("most are ended") { peers.count { !$0.isEnded } <= 40 }
                #expect(peers.count { !$0.isEnded } >= 30)
                _ = try await fill(client, landmarks: 1, notes: 1)
            }
            let status = try await client.status()
            #expect(counter("connections_turned_away", status.storage?.counters) >= 160)
            #expect(counter("feed_connections_turned_away", status.storage?.counters) >= 160)
            #expect(counter("connections_turned_away", status.query?.counters) >= 160)
            try await until("there is room again") {
                let other = try await stage.client()
                defer { Task { await other.close() } }
                return (try? await other.hello()) != nil
            }
            await client.close()
        }
    }

    private static let prlimit = "/usr/bin/prlimit"

    @Test(
        "no file descriptors left: the service survives without spinning, and recovers",
        .enabled(if: FileManager.default.isExecutableFile(atPath: prlimit), "prlimit sets the limit"))
    func outOfDescriptors() async throws {
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client()
            _ = try await fill(client, landmarks: 1, notes: 1)
            let storage = try #require(stage.cluster.storage)
            // Lower than the limit at the service's start, as if something else in the process used descriptors.
            let limit = ProcessFigures.files(storage.pid) + 20
            let lowered = [Self.prlimit, "--pid", "\(storage.pid)", "--nofile=\(limit):\(limit)"]
            #expect(try Program.run(lowered).status == 0)
            // Connections that the kernel accepted but the service did not would wait for their greeting for ever.
            let peers = (0..<200).compactMap { _ in Ports.connect(stage.cluster.commandPort) }
            try await until("it runs short of descriptors") {
                counter("descriptor_shortages", try await client.status().storage?.counters) > 0
            }
            // A loop that spins shows in the time of the processor.
            let spent = ProcessFigures.time(storage.pid)
            try await Task.sleep(for: .seconds(3))
            let time = ProcessFigures.time(storage.pid) - spent
            let counters = try await client.status().storage?.counters
            print(
                "out of descriptors: \(peers.count) connections, \(time) s of processor "
                    + "time in 3 s, shortages \(counter("descriptor_shortages", counters))")
            #expect(counter("descriptor_shortages", counters) > 0)
            #expect(time < 1.5)
            #expect(storage.status == nil)
            _ = try await fill(client, landmarks: 1, notes: 1)
            for peer in peers { close(peer) }
            try await until("there is room again") {
                guard let peer = try? MutePeer(stage.cluster.commandPort, "DEALER") else { return false }
                try await Task.sleep(for: .milliseconds(300))
                return !peer.isEnded
            }
            await client.close()
        }
    }

    @Test("subscribers that never read, under a load of large changes")
    func subscribersThatDoNotRead() async throws {
        try await withStage { stage in
            try stage.start()
            let client = try await stage.client()
            let follower = try Follower(client)
            defer { Task { await follower.end() } }
            try await until("the feed begins") { follower.hasBegun }
            let id = try #require(try await fill(client, landmarks: 1, notes: 1, text: Self.wide).first)
            let storage = try #require(stage.cluster.storage)
            let before = ProcessFigures.memory(storage.pid)
            let peers = try (0..<20).map { _ in try MutePeer(stage.cluster.changesPort, "SUB") }
            for peer in peers { peer.send([[1] + FeedTopic.everything.bytes]) }
            // Changes of 220 kB each, with the landmark before and after.
            var most = 0
            var (number, held) = (0, UInt64(0))
            var counters: [ServiceCounter]?
            // After 30 s the kernel closes connections whose peer reads nothing, and the buffered changes are freed.
            let end = ContinuousClock.now + .seconds(40)
            while ContinuousClock.now < end, counter("feed_held_back", counters) == 0 {
                for _ in 0..<10 {
                    number += 1
                    _ = try await client.edit(id, LandmarkEdit(name: "name \(number)"))
                }
                most = max(most, ProcessFigures.memory(storage.pid))
                counters = try await client.status().storage?.counters
                held = max(held, counter("feed_bytes_held", counters))
            }
            counters = try await client.status().storage?.counters
            print(
                "mute subscribers: \(number) changes, \(before / Self.mebibyte) MiB before, at most "
                    + "\(most / Self.mebibyte) MiB, held \(held / 1_048_576) MiB, held back "
                    + "\(counter("feed_held_back", counters)), \(counter("feed_connections", counters)) connections")
            #expect(held > 0)
            #expect(counter("feed_held_back", counters) > 0 || counter("feed_connections", counters) < 20)
            #expect(most < before + 500 * Self.mebibyte)
            // The honest follower misses nothing: it reads the withheld changes from the log.
            let head = try stage.cluster.head()
            try await until("the honest follower comes to \(head)") { follower.marked >= head }
            await client.close()
        }
    }
}
