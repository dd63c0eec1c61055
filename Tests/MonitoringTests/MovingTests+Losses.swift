// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SQLite
import SwiftProtobuf
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
        await stage.relay.setSilent(true)
        try await stage.move(.query, ["waymark_query_replica_lag_revisions", "waymark_query_replica_lag_seconds"]) {
            _ = try await client.add(try stage.draft(99))
        }
        let behind = try await stage.queryWatched.scrape()
        #expect(behind.value("waymark_query_replica_lag_revisions") == 1)
        // A query that must see this write has to wait for it.
        let patient = RawPeer()
        try await patient.open(.dealer, stage.endpoint, context: stage.context)
        try await stage.move(.query, ["waymark_query_parked", "waymark_query_parked_total"]) {
            let position = try await client.hello().position
            var header = RawPeer.header(1, timeout: 30_000)
            header.atLeast = Position(epoch: position.epoch, rev: position.rev + 1).wire
            try await patient.send(
                try RawPeer.frames(.with { $0.list = .with { $0.limit = 1 } }, header))
        }
        // Within the observed part: the next beacon may end the waiting at once.
        try await stage.move(.query, ["waymark_query_parked"]) { await stage.relay.setSilent(false) }
        await patient.close()
        #expect(try await stage.queryWatched.scrape().value("waymark_query_replica_lag_revisions") == 0)
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

    /// - Parameter database: its size at the beginning. SQLite writes later changes to the file by the end of storage
    ///   at the latest.
    func restart(
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
}
