// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import Landmarks
import Monitoring
import SQLite
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@testable import QueryService
@testable import StorageService

/// Causes what each metric of both services measures, and checks that its value changes.
@Suite(.serialized, .inTurn)
struct MovingTests {
    @Test
    func everyMetricMoves() async throws {
        let stage = try await Stage()
        do {
            try await begin(stage)
            let database = try await stage.fresh(.storage).samples(of: "waymark_storage_database_bytes")
            let client = try await stage.client()
            do {
                try await work(stage, client)
                // First, because storage keeps a lease to fetch for minutes if its return fails, as it does in the
                // trouble below.
                try await sources(stage)
                try await hostility(stage)
                try await deafSubscribers(stage, client)
                try await relay(stage, client)
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

    /// The exposed metrics are exactly the described ones.
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
        try await isLive(stage.queryWatched)
        let before = try await stage.fresh(.query)
        #expect(before.value("waymark_query_ready") == 0)
        try await stage.move(
            .query,
            [
                "waymark_query_ready", "waymark_query_storage_connected", "waymark_query_replica_loads_total",
                "waymark_query_landmarks", "waymark_query_replica_revision", "waymark_query_fetches_total",
                "waymark_query_source_rows", "waymark_query_relay_stretches_total",
            ]
        ) { try await stage.startStorage() }
        let after = try await stage.fresh(.query)
        #expect(after.value("waymark_query_ready") == 1 && after.value("waymark_query_storage_connected") == 1)
        #expect(after.value("waymark_query_source_rows", ["source": "places"]) == 2)
        #expect(after.value("waymark_query_fetches_total", ["source": "places", "result": "ingested"]) >= 1)
        try await isReady(stage.queryWatched)
        try await isReady(stage.watched(.storage))
    }

    /// On a loaded machine a loop may take more than a second to answer, and is not ready then. So this asks again.
    private func isReady(_ watched: Watched) async throws {
        var text = ""
        for _ in 0..<60 where text != "ready\n" { text = try await watched.get("/health/ready").text }
        #expect(text == "ready\n")
    }

    /// Asks again, for the same reason.
    func isLive(_ watched: Watched) async throws {
        var status = 503
        for _ in 0..<60 where status != 200 { status = try await watched.get("/health/live").status }
        #expect(status == 200)
    }

    private func work(_ stage: Stage, _ client: WaymarkClient) async throws {
        let count = 20
        let before = try await stage.fresh(.storage)
        try await stage.move(
            .query,
            [
                "waymark_query_requests_total", "waymark_query_request_seconds", "waymark_query_forwarded_total",
                "waymark_query_feed_live_total", "waymark_requests_received_total", "waymark_loop_wait_seconds",
                "waymark_query_tiles_ready", "waymark_query_relay_published_total",
                "waymark_query_relay_beacons_total", "waymark_query_relay_kept_changes",
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
                _ = try await client.tile(#require(MapTile(zoom: 0, column: 0, row: 0)))
                try Data(repeating: 7, count: 8 << 20).write(to: stage.folder.appending(path: "ballast"))
            }
        }
        let storage = try await stage.fresh(.storage)
        let adds = storage.value("waymark_storage_commands_total", ["kind": "add", "result": "ok"])
        let earlier = before.value("waymark_storage_commands_total", ["kind": "add", "result": "ok"])
        // A request whose answer is late is sent once more, and counted again.
        #expect(adds - earlier >= Double(count))
        #expect(
            storage.total("waymark_storage_batch_commands") == storage.total("waymark_storage_commit_seconds"))
        let query = try await stage.fresh(.query)
        let near = query.value("waymark_query_requests_total", ["kind": "near", "result": "ok"])
        #expect(near >= 1)
        #expect(query.value("waymark_query_request_seconds_count", ["kind": "near"]) == near)
        #expect(query.value("waymark_query_request_seconds_sum", ["kind": "near"]) > 0)
        #expect(query.value("waymark_query_request_seconds_bucket", ["kind": "near", "le": "+Inf"]) == near)
        #expect(query.value("waymark_query_requests_total", ["kind": "add", "result": "ok"]) >= Double(count))
        // Refused requests are counted apart from successful ones, also if the answer was only forwarded.
        await #expect(throws: ClientError.self) { _ = try await client.show(UUIDv7(high: 9, low: 9)) }
        #expect(
            try await stage.fresh(.query)
                .value("waymark_query_requests_total", ["kind": "show", "result": "not_found"]) >= 1)
        #expect(
            try await stage.fresh(.storage)
                .value("waymark_storage_commands_total", ["kind": "show", "result": "not_found"]) >= 1)
    }

    private func upkeep(_ stage: Stage, _ client: WaymarkClient) async throws {
        try await stage.move(.storage, ["waymark_storage_backups_total"]) { _ = try await client.beginBackup() }
        try await stage.move(
            .storage, ["waymark_storage_changes_forgotten_total", "waymark_storage_floor_revision"]
        ) { _ = try await client.compact(below: 0) }
    }
}
