// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import WaymarkProtocol

/// The contents of a database in PostgreSQL, read through a connection that knows nothing of storage.
enum PostgreSQLTruth {
    static func head(_ url: String) throws -> UInt64 {
        let connection = try Connection(Configuration(url: ConnectionURL(url)))
        defer { connection.close() }
        // The tables are made when storage starts.
        guard try connection.execute("SELECT to_regclass('changes') IS NOT NULL").first?.bool(0) == true else {
            return 0
        }
        let head = try connection.execute("SELECT coalesce(max(rev), 0) FROM changes").first?.int8(0) ?? 0
        return UInt64(bitPattern: head)
    }

    /// As ``Truth/init(database:before:)``; reads a single state, also while something is written.
    static func read(_ url: String, before: Truth?) throws -> Truth {
        let connection = try Connection(Configuration(url: ConnectionURL(url)))
        defer { connection.close() }
        return try connection.reading {
            let epoch = try connection.execute("SELECT epoch_high, epoch_low FROM history").first.map { row in
                UUIDv7(high: UInt64(bitPattern: try row.int8(0)), low: UInt64(bitPattern: try row.int8(1)))
            }
            guard let epoch else { throw FaultError("the database has no epoch") }
            var truth = Truth(epoch: epoch, log: [], landmarks: [:])
            for row in try connection.execute("SELECT rev, payload FROM changes ORDER BY rev") {
                let change = try Change(encoded: try row.bytea(1))
                try truth.append(LogEntry(change), row: UInt64(bitPattern: try row.int8(0)), before: before)
            }
            for row in try connection.execute("SELECT record FROM landmarks") {
                let landmark = try Landmark(WireLandmark(serializedBytes: try row.bytea(0)))
                truth.landmarks[landmark.id] = Digest.of(landmark)
            }
            return truth
        }
    }
}
