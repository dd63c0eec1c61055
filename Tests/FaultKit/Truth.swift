// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Landmarks
import SQLite
import SwiftProtobuf
import WaymarkProtocol

/// The contents of the database at the end, for one history.
public struct Truth: Sendable {
    public var epoch: UUIDv7
    /// The changes from the floor to the head, without gaps.
    public var log: [LogEntry]
    /// The digests of the present landmarks.
    public var landmarks: [Landmark.ID: UInt64]
    /// Violations found while reading the database.
    public var problems: [Violation] = []

    public init(epoch: UUIDv7, log: [LogEntry], landmarks: [Landmark.ID: UInt64]) {
        (self.epoch, self.log, self.landmarks) = (epoch, log, landmarks)
    }

    public var floor: UInt64 { log.first?.rev ?? 1 }
    public var head: UInt64 { log.last?.rev ?? 0 }

    public subscript(rev: UInt64) -> LogEntry? {
        guard rev >= floor, rev <= head, !log.isEmpty else { return nil }
        return log[Int(rev - floor)]
    }

    /// Reads a database that nothing writes to.
    ///
    /// - Parameter before: the result of reading it before a compaction; the compacted changes are taken from there.
    public init(database path: String, before: Truth? = nil) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: path, configuration: configuration)
        defer { file.close() }
        self = try file.read { db in
            let epoch = try Statement(db, sql: "SELECT epoch_high, epoch_low FROM history").first { row in
                UUIDv7(high: try Self.bits(row, 0), low: try Self.bits(row, 1))
            }
            guard let epoch else { throw FaultError("the database has no epoch") }
            var truth = Truth(epoch: epoch, log: [], landmarks: [:])
            if let check = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)"), check != "ok" {
                truth.problems.append(Violation(.durable, "the database is damaged: \(check)"))
            }
            try Statement(db, sql: "SELECT rev, payload FROM changes ORDER BY rev").forEach { row in
                let entry = LogEntry(try Change(encoded: try [UInt8].read(row, 1)))
                try truth.append(entry, row: try Self.bits(row, 0), before: before)
                return true
            }
            try Statement(db, sql: "SELECT record FROM landmarks").forEach { row in
                let landmark = try Landmark(WireLandmark(serializedBytes: try [UInt8].read(row, 0)))
                truth.landmarks[landmark.id] = Digest.of(landmark)
                return true
            }
            return truth
        }
    }

    mutating func append(_ entry: LogEntry, row rev: UInt64, before: Truth?) throws {
        if log.isEmpty, let before, before.epoch == epoch { log = before.log.filter { $0.rev < rev } }
        if entry.rev != rev {
            problems.append(Violation(.durable, "the row says revision \(rev), its payload \(entry.rev)", rev: rev))
        }
        guard log.isEmpty || rev == head + 1 else {
            throw FaultError("the log has a hole: after \(head) comes \(rev)")
        }
        log.append(entry)
    }

    private static func bits(_ row: StatementRow, _ column: Int) throws -> UInt64 {
        UInt64(bitPattern: try row.integer(column))
    }
}
