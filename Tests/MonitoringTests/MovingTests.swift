// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Geodesy
import Glibc
import Landmarks
import Monitoring
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@testable import QueryService
@testable import StorageService

/// Each metric of both services, seen to move when that happens of which it tells.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(5)))
struct MovingTests {
    @Test
    func everyMetricMoves() async throws {
        let stage = try await Stage()
        do {
            try await begin(stage)
            let database = try await stage.watched(.storage).scrape().samples(of: "waymark_storage_database_bytes")
            let client = try await stage.client()
            do {
                try await work(stage, client)
                // First: a turn to fetch that is not given back, because storage is in trouble, is not given for minutes.
                try await sources(stage)
                try await hostility(stage)
                try await deafSubscribers(stage, client)
                try await lossesOfTheFeed(stage, client)
                try await troubleOfStorage(stage, client)
                try await upkeep(stage, client)
                try await restart(stage, client, since: database)
                try await process(stage)
            } catch {
                await client.close()
                throw error
            }
            await client.close()
        } catch {
            try await stage.end()
            throw error
        }
        try await exposed(stage)
        let constant: Set = ["process_start_time_seconds", "waymark_build_info"]
        let storage = StorageMetrics.definitions.map(\.name).filter { !constant.contains($0) }
        let query = QueryMetrics.definitions.map(\.name).filter { !constant.contains($0) }
        let all = Set(storage.map { "storage \($0)" } + query.map { "query \($0)" })
        #expect(all.subtracting(stage.moved).sorted() == [])
        try await stage.end()
    }

    /// What is exposed is what is described, and the other way round.
    private func exposed(_ stage: Stage) async throws {
        for (side, definitions) in [
            (Stage.Side.storage, StorageMetrics.definitions), (.query, QueryMetrics.definitions),
        ] {
            let scrape = try await stage.watched(side).scrape()
            #expect(scrape.families.symmetricDifference(definitions.map(\.name)).sorted() == [])
            for definition in definitions {
                #expect(scrape.types[definition.name] == definition.kind.rawValue)
                #expect(scrape.helps[definition.name] == definition.help)
                let labels = Set(scrape.samples(of: definition.name).flatMap(\.labels.keys)).subtracting(["le"])
                #expect(labels == Set(definition.labels))
            }
        }
    }

    private func begin(_ stage: Stage) async throws {
        let ready = try await stage.queryWatched.get("/health/ready")
        #expect(ready.status == 503 && !ready.text.isEmpty)
        #expect(try await stage.queryWatched.get("/health/live").status == 200)
        let before = try await stage.queryWatched.scrape()
        #expect(before.value("waymark_query_ready") == 0)
        try await stage.move(
            .query,
            [
                "waymark_query_ready", "waymark_query_storage_connected", "waymark_query_replica_loads_total",
                "waymark_query_landmarks", "waymark_query_replica_revision", "waymark_query_fetches_total",
                "waymark_query_source_rows",
            ]
        ) { try await stage.startStorage() }
        let after = try await stage.queryWatched.scrape()
        #expect(after.value("waymark_query_ready") == 1 && after.value("waymark_query_storage_connected") == 1)
        #expect(after.value("waymark_query_source_rows", ["source": "places"]) == 2)
        #expect(after.value("waymark_query_fetches_total", ["source": "places", "result": "ingested"]) >= 1)
        try await isReady(stage.queryWatched)
        try await isReady(stage.watched(.storage))
    }

    /// A loop that does not answer within a second is not ready, which happens on a loaded machine: so it is asked again.
    private func isReady(_ watched: Watched) async throws {
        var text = ""
        for _ in 0..<60 where text != "ready\n" { text = try await watched.get("/health/ready").text }
        #expect(text == "ready\n")
    }

    private func work(_ stage: Stage, _ client: WaymarkClient) async throws {
        let count = 20
        let before = try await stage.watched(.storage).scrape()
        try await stage.move(
            .query,
            [
                "waymark_query_requests_total", "waymark_query_request_seconds", "waymark_query_forwarded_total",
                "waymark_query_feed_live_total", "waymark_requests_received_total", "waymark_loop_wait_seconds",
            ]
        ) {
            try await stage.move(
                .storage,
                [
                    "waymark_storage_commands_total", "waymark_storage_command_seconds",
                    "waymark_storage_batch_commands", "waymark_storage_commit_seconds", "waymark_storage_changes_total",
                    "waymark_storage_head_revision", "waymark_storage_feed_published_total",
                    "waymark_storage_feed_beacons_total", "waymark_storage_wal_bytes", "waymark_storage_search_bytes",
                    "waymark_storage_disk_free_bytes", "waymark_requests_received_total", "waymark_loop_wait_seconds",
                ]
            ) {
                for number in 0..<count { _ = try await client.add(try stage.draft(number), note: "A note") }
                let place = try Coordinate(latitude: 1, longitude: 2)
                _ = try await client.near(place, limit: 3)
                try Data(repeating: 7, count: 8 << 20).write(to: stage.folder.appending(path: "ballast"))
            }
        }
        let storage = try await stage.watched(.storage).scrape()
        let adds = storage.value("waymark_storage_commands_total", ["kind": "add", "result": "ok"])
        let earlier = before.value("waymark_storage_commands_total", ["kind": "add", "result": "ok"])
        #expect(adds - earlier == Double(count))
        #expect(
            storage.total("waymark_storage_batch_commands") == storage.total("waymark_storage_commit_seconds"))
        let query = try await stage.watched(.query).scrape()
        #expect(query.value("waymark_query_requests_total", ["kind": "near", "result": "ok"]) == 1)
        #expect(query.value("waymark_query_request_seconds_count", ["kind": "near"]) == 1)
        #expect(query.value("waymark_query_request_seconds_sum", ["kind": "near"]) > 0)
        #expect(query.value("waymark_query_request_seconds_bucket", ["kind": "near", "le": "+Inf"]) == 1)
        #expect(query.value("waymark_query_requests_total", ["kind": "add", "result": "ok"]) == Double(count))
        // What is refused is told from what is done, although the answer is only passed on.
        _ = try? await client.show(UUIDv7(high: 9, low: 9))
        #expect(
            try await stage.watched(.query).scrape()
                .value("waymark_query_requests_total", ["kind": "show", "result": "not_found"]) == 1)
        #expect(
            try await stage.watched(.storage).scrape()
                .value("waymark_storage_commands_total", ["kind": "show", "result": "not_found"]) == 1)
    }

    /// What only a peer does that is broken, or worse.
    private func hostility(_ stage: Stage) async throws {
        for (side, endpoint, path) in [
            (Stage.Side.storage, stage.commands, "/s"), (.query, stage.endpoint, "/q"),
        ] {
            let peer = RawPeer()
            var crowd: [RawPeer] = []
            try await peer.open(.dealer, endpoint, context: stage.context)
            try await stage.move(side, ["waymark_requests_malformed_total"]) { try await peer.send([[1, 2, 3]]) }
            try await stage.move(side, ["waymark_requests_expired_total"]) {
                // The fastest request of a connection stands for no time at all; ten seconds more are ten too late.
                let now = Monotonic.milliseconds
                let status = WireRequest.with { $0.status = WireStatus() }
                try await peer.send(try RawPeer.frames(status, RawPeer.header(1, sent: now)))
                try await peer.send(try RawPeer.frames(status, RawPeer.header(2, sent: now - 10_000)))
            }
            await peer.close()
            try await stage.move(side, ["waymark_handshakes_failed_total"]) {
                let stranger = try RawConnection(path: stage.folder.path + path)
                stranger.send(String(repeating: "GET / HTTP/1.1\r\n", count: 20))
                _ = await stranger.receiveAll()
            }
            try await stage.move(side, ["waymark_answers_dropped_total", "waymark_answers_held_bytes"]) {
                let deaf = RawPeer()
                try await deaf.open(.dealer, endpoint, context: stage.context, queue: 1)
                let hello = WireRequest.with { $0.hello = .with { $0.agent = "deaf" } }
                for number in 0..<12_000 {
                    try await deaf.send(try RawPeer.frames(hello, RawPeer.header(UInt64(number + 1), timeout: 60_000)))
                }
                crowd.append(deaf)
            }
            try await stage.move(side, ["waymark_answers_held_bytes"]) { await close(&crowd) }
            try await stage.move(side, ["waymark_connections", "waymark_connections_turned_away_total"]) {
                crowd = try await gather(stage, .dealer, endpoint)
            }
            try await stage.move(side, ["waymark_connections"]) { await close(&crowd) }
            try await stage.move(side, ["waymark_answers_unroutable_total"]) {
                for number in 0..<20 {
                    let gone = RawPeer()
                    try await gone.open(.dealer, endpoint, context: stage.context)
                    // Answered after a look into the database, and by then nobody is there.
                    for part in 0..<50 {
                        let status = WireRequest.with { $0.status = WireStatus() }
                        let header = RawPeer.header(UInt64(number * 50 + part + 1))
                        try await gone.send(try RawPeer.frames(status, header))
                    }
                    try await Task.sleep(for: .milliseconds(number))
                    await gone.close()
                }
            }
        }
        try await stage.move(.storage, ["waymark_storage_feed_connections_turned_away_total"]) {
            var crowd = try await gather(stage, .sub, stage.changes)
            await close(&crowd)
        }
        let subscriber = RawPeer()
        try await stage.move(
            .storage,
            [
                "waymark_storage_feed_connections", "waymark_storage_feed_topics",
                "waymark_storage_feed_subscriptions_total", "waymark_storage_feed_unknown_topics_total",
            ]
        ) {
            try await subscriber.open(.sub, stage.changes, context: stage.context)
            try await subscriber.subscribe([FeedTopic(carrying: FeedFilter(kinds: ["theatre"])).bytes, [1, 2, 3]])
        }
        try await stage.move(.storage, ["waymark_storage_feed_refused_topics_total"]) {
            try await subscriber.subscribe(
                (0..<(FeedPublisher.mostFeeds + 10)).map { FeedTopic(carrying: FeedFilter(kinds: ["k\($0)"])).bytes })
        }
        let full = try await stage.watched(.storage).scrape()
        #expect(full.value("waymark_storage_feed_topics") == Double(FeedPublisher.mostFeeds))
        try await stage.move(.storage, ["waymark_storage_feed_connections", "waymark_storage_feed_topics"]) {
            await subscriber.close()
        }
        let empty = try await stage.watched(.storage).scrape()
        // The relay's.
        #expect(empty.value("waymark_storage_feed_connections") == 1)
    }

    /// One connection more than there may be.
    private func gather(_ stage: Stage, _ kind: Socket.Kind, _ endpoint: String) async throws -> [RawPeer] {
        var crowd: [RawPeer] = []
        for _ in 0...Stage.mostConnections {
            let peer = RawPeer()
            try await peer.open(kind, endpoint, context: stage.context)
            crowd.append(peer)
        }
        try await Task.sleep(for: .milliseconds(300))
        return crowd
    }

    private func close(_ peers: inout [RawPeer]) async {
        for peer in peers { await peer.close() }
        peers = []
    }

    private func deafSubscribers(_ stage: Stage, _ client: WaymarkClient) async throws {
        let deaf = RawPeer()
        try await deaf.open(.sub, stage.changes, context: stage.context, queue: 1)
        try await deaf.subscribe([FeedTopic.everything.bytes])
        let note = String(repeating: "n", count: 9_000)
        try await stage.move(.storage, ["waymark_storage_feed_held_bytes"]) {
            for number in 0..<100 { _ = try await client.add(try stage.draft(number), note: note) }
        }
        try await stage.move(.storage, ["waymark_storage_feed_held_back_total"]) {
            try await stage.storage.publisherMayHold(0)
            _ = try await client.add(try stage.draft(1))
        }
        try await stage.move(.storage, ["waymark_storage_feed_held_bytes"]) { await deaf.close() }
        try await stage.storage.publisherMayHold(1 << 20)
    }

    private func lossesOfTheFeed(_ stage: Stage, _ client: WaymarkClient) async throws {
        try await stage.move(
            .query,
            [
                "waymark_query_feed_gaps_total", "waymark_query_feed_pulls_total", "waymark_query_feed_pulled_total",
                "waymark_query_feed_resumes_total",
            ]
        ) {
            await stage.relay.drop(changes: 2)
            for number in 0..<3 { _ = try await client.add(try stage.draft(number)) }
        }
        await stage.relay.setSilent(true)
        try await stage.move(.query, ["waymark_query_replica_lag_revisions", "waymark_query_replica_lag_seconds"]) {
            _ = try await client.add(try stage.draft(99))
        }
        let behind = try await stage.queryWatched.scrape()
        #expect(behind.value("waymark_query_replica_lag_revisions") == 1)
        // A question that wants to see that write has to wait for it.
        let patient = RawPeer()
        try await patient.open(.dealer, stage.endpoint, context: stage.context)
        try await stage.move(.query, ["waymark_query_parked", "waymark_query_parked_total"]) {
            let position = try await client.hello().position
            var header = RawPeer.header(1, timeout: 30_000)
            header.atLeast = Position(epoch: position.epoch, rev: position.rev + 1).wire
            try await patient.send(
                try RawPeer.frames(.with { $0.list = .with { $0.limit = 1 } }, header))
        }
        await stage.relay.setSilent(false)
        try await stage.move(.query, ["waymark_query_parked"]) {}
        await patient.close()
        #expect(try await stage.queryWatched.scrape().value("waymark_query_replica_lag_revisions") == 0)
    }

    private func troubleOfStorage(_ stage: Stage, _ client: WaymarkClient) async throws {
        // Somebody else writes to the file, which nobody may: the transaction cannot begin.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let intruder = try DatabaseQueue(path: stage.data + "/waymark.sqlite", configuration: configuration)
        try await stage.move(.storage, ["waymark_storage_commits_failed_total", "waymark_storage_writable"]) {
            // In here: the query service writes how its fetches went, and may be the first to meet it.
            try await intruder.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            _ = try? await client.add(try stage.draft(1))
        }
        try await intruder.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        try intruder.close()

        let release = DispatchSemaphore(value: 0)
        try await stage.storage.loop.submit { _ = release.wait(timeout: .now() + 20) }
        let peer = RawPeer()
        try await peer.open(.dealer, stage.endpoint, context: stage.context)
        try await stage.move(.query, ["waymark_query_forwards_timed_out_total"]) {
            try await peer.send(
                try RawPeer.frames(.with { $0.sources = WireSources() }, RawPeer.header(1, timeout: 200)))
        }
        await peer.close()
        let live = try await stage.watched(.storage).get("/health/live")
        #expect(live.status == 503)
        #expect(try await stage.watched(.storage).get("/health/ready").status == 503)
        #expect(try await stage.watched(.storage).scrape().value("waymark_loop_wait_seconds") == 1)
        release.signal()
        var status: Int = 503
        for _ in 0..<20 where status != 200 { status = try await stage.watched(.storage).get("/health/live").status }
        #expect(status == 200)
    }

    private func upkeep(_ stage: Stage, _ client: WaymarkClient) async throws {
        try await stage.move(.storage, ["waymark_storage_backups_total"]) { _ = try await client.beginBackup() }
        try await stage.move(
            .storage, ["waymark_storage_changes_forgotten_total", "waymark_storage_floor_revision"]
        ) { _ = try await client.compact(below: 0) }
    }

    private func sources(_ stage: Stage) async throws {
        try await stage.move(.query, ["waymark_query_source_rows", "waymark_query_source_age_seconds"]) {
            try Stage.places(5).write(to: stage.source, atomically: true, encoding: .utf8)
        }
        #expect(try await stage.queryWatched.scrape().value("waymark_query_source_rows") == 5)
        let failed = ["source": "places", "result": "failed"]
        try FileManager.default.removeItem(at: stage.source)
        for _ in 0..<200 {
            if try await stage.queryWatched.scrape().value("waymark_query_fetches_total", failed) > 0 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await stage.queryWatched.scrape().value("waymark_query_fetches_total", failed) > 0)
        // A source whose settings change is counted on; of one that is gone nothing is told; one that comes back is.
        func places(every: String) -> String { "places:\n    url: file:\(stage.source.path)\n    every: \(every)\n" }
        let before = try await stage.queryWatched.scrape().value("waymark_query_fetches_total", failed)
        try await stage.query.apply(stage.settings(sources: places(every: "2s")))
        try await until(stage) { $0.value("waymark_query_fetches_total", failed) > before }
        try await stage.query.apply(stage.settings(sources: nil))
        try await until(stage) { $0.samples(of: "waymark_query_source_age_seconds").isEmpty }
        try Stage.places(5).write(to: stage.source, atomically: true, encoding: .utf8)
        try await stage.query.apply(stage.settings(sources: places(every: "1s")))
        try await until(stage) { $0.value("waymark_query_source_rows") == 5 }
    }

    private func until(
        _ stage: Stage, sourceLocation: SourceLocation_ = #_sourceLocation, _ isSo: (Exposition) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !isSo(stage.queryWatched.scrape()) {
            guard ContinuousClock.now < deadline else {
                Issue.record("not within 20 s", sourceLocation: sourceLocation)
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// - Parameter database: its size at the beginning. What was written since comes to its file at the end, at the latest.
    private func restart(
        _ stage: Stage, _ client: WaymarkClient, since database: Set<Exposition.Sample>
    ) async throws {
        let run = try await stage.watched(.storage).scrape().samples(of: "waymark_storage_epoch_info")
        try await stage.move(.query, ["waymark_query_feed_runs_total"], within: .seconds(90)) {
            try await stage.stopStorage()
            #expect(try await stage.queryWatched.get("/health/live").status == 200)
            try await stage.startStorage()
            for number in 0..<5 { _ = try? await client.add(try stage.draft(number)) }
        }
        let after = try await stage.watched(.storage).scrape()
        try stage.note(.storage, "waymark_storage_epoch_info", after.samples(of: "waymark_storage_epoch_info"), run)
        try stage.note(
            .storage, "waymark_storage_database_bytes", after.samples(of: "waymark_storage_database_bytes"), database)
    }

    private func process(_ stage: Stage) async throws {
        for side in [Stage.Side.storage, .query] {
            var files: [FileHandle] = []
            var ballast: [UInt8] = []
            try await stage.move(
                side,
                [
                    "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds",
                    "process_max_fds",
                ]
            ) {
                ballast = [UInt8](repeating: 1, count: 64 << 20)
                for _ in 0..<100 { files.append(try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))) }
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                limit.rlim_cur -= 1
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
            for file in files { try file.close() }
            #expect(ballast.count == 64 << 20)
            let scrape = try await stage.watched(side).scrape()
            let start = scrape.value("process_start_time_seconds")
            let now = Date().timeIntervalSince1970
            #expect(start <= now + 1 && start > now - ProcessInfo.processInfo.systemUptime - 1)
            let labels = ["version": Product.version, "service": side == .storage ? "storage" : "query"]
            #expect(scrape.value("waymark_build_info", labels) == 1)
        }
    }
}

extension StorageServer {
    fileprivate func publisherMayHold(_ bytes: Int) { publisher?.mostHeld = bytes }
}
