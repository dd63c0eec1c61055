// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import SwiftProtobuf
import TestSupport
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@testable import StorageService

// Lost changes, a database that cannot be written, a hanging loop, a restart.
extension MovingTests {
    func lossesOfTheFeed(_ stage: Stage, _ client: WaymarkClient) async throws {
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
        try await stage.relay.setBehind(true)
        try await stage.move(.query, ["waymark_query_replica_lag_revisions", "waymark_query_replica_lag_seconds"]) {
            _ = try await client.add(try stage.draft(99))
        }
        let behind = try await stage.fresh(.query)
        #expect(behind.value("waymark_query_replica_lag_revisions") == 1)
        // A query that must see this write has to wait for it.
        let patient = RawPeer()
        try await patient.open(stage.endpoint, context: stage.context, holding: 1_000)
        try await stage.move(.query, ["waymark_query_parked", "waymark_query_parked_total"]) {
            let position = try await client.hello().position
            var header = RawPeer.header(1, timeout: 100_000)
            header.atLeast = Position(epoch: position.epoch, rev: position.rev + 1).wire
            try await patient.send(
                try RawPeer.frames(.with { $0.list = .with { $0.limit = 1 } }, header))
        }
        // Within the observed part: the next beacon may end the waiting at once.
        try await stage.move(.query, ["waymark_query_parked"]) { try await stage.relay.setBehind(false) }
        await patient.close()
        try await until(stage) { $0.value("waymark_query_replica_lag_revisions") == 0 }
    }

    func troubleOfStorage(_ stage: Stage, _ client: WaymarkClient) async throws {
        // Another process holds the database's write lock, so storage cannot begin its transaction.
        var configuration = Configuration()
        // Storage may be in a transaction of its own: the report of a fetch, or the log's retention.
        configuration.busyTimeout = .seconds(30)
        let intruder = try DatabaseQueue(path: stage.data + "/waymark.sqlite", configuration: configuration)
        try await stage.move(.storage, ["waymark_storage_commits_failed_total", "waymark_storage_writable"]) {
            // Within the observed part, because the query service reports its fetches to storage and may be the first
            // to fail.
            try await intruder.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            _ = try? await client.add(try stage.draft(1))
        }
        try await intruder.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        intruder.close()

        let release = DispatchSemaphore(value: 0)
        defer { release.signal() }
        try await stage.storage.loop.submit { _ = release.wait(timeout: .now() + 100) }
        let peer = RawPeer()
        try await peer.open(stage.endpoint, context: stage.context, holding: 1_000)
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
        for _ in 0..<60 where status != 200 { status = try await stage.watched(.storage).get("/health/live").status }
        #expect(status == 200)
    }

    /// - Parameter database: its size at the beginning. SQLite writes later changes to the file by the end of storage
    ///   at the latest.
    func restart(
        _ stage: Stage, _ client: WaymarkClient, since database: Set<Exposition.Sample>
    ) async throws {
        let run = try await stage.fresh(.storage).samples(of: "waymark_storage_epoch_info")
        try await stage.move(.query, ["waymark_query_feed_runs_total"], within: .seconds(90)) {
            try await stage.stopStorage()
            try await isLive(stage.queryWatched)
            try await stage.startStorage()
            for number in 0..<5 { _ = try? await client.add(try stage.draft(number)) }
        }
        let after = try await stage.fresh(.storage)
        try stage.note(.storage, "waymark_storage_epoch_info", after.samples(of: "waymark_storage_epoch_info"), run)
        try stage.note(
            .storage, "waymark_storage_database_bytes", after.samples(of: "waymark_storage_database_bytes"), database)
    }
}
