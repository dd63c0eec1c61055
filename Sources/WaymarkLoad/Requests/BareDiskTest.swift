// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
public import LoadTest
import SQLite
import SwiftProtobuf
import WaymarkProtocol

/// Measures durable writes with SQLite alone. Each write inserts the rows of a landmark and of a change into
/// tables like those of storage, with time-ordered keys like storage's ids, in WAL mode with `synchronous=FULL`.
///
/// Storage additionally writes its answer as a third row, and maintains a search index. This test does neither.
public struct BareDiskTest: Sendable {
    /// The maximum number of commands that storage puts into one commit.
    private static let mostInCommit = 1_024

    /// A folder on the disk that is measured.
    public var directory: String

    public init(directory: String) {
        self.directory = directory
    }

    /// - Parameter rowsPerCommit: the number of rows in each commit, as measured with the tested service; nil for the
    ///   number of operations that a closed loop keeps in flight.
    /// - Throws: ``BareDiskError``.
    public func run(_ shape: LoadShape, rowsPerCommit: Int? = nil, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            let path = "\(directory)/bare-\(UUID().uuidString).sqlite"
            defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
            var rows = 1
            if let rowsPerCommit {
                rows = max(1, rowsPerCommit)
            } else if case .closed(let window) = shape.loop {
                rows = min(max(1, window * shape.clients), Self.mostInCommit)
            }
            do {
                return try DatabaseQueue(path: path).writeWithoutTransaction { try write($0, rows, shape, watch) }
            } catch let error as DatabaseError {
                throw BareDiskError(description: "SQLite cannot write \(path): \(error.message).")
            }
        }
    }

    private func write(_ db: Database, _ rows: Int, _ shape: LoadShape, _ watch: LoadWatch) throws -> LoadResult {
        try db.execute(sql: Self.tables)
        let landmarks = try Statement(db, sql: "INSERT INTO landmarks VALUES (?2, ?3, ?1)")
        let changes = try Statement(db, sql: "INSERT INTO changes VALUES (?2, 0, ?2, ?3, 1, 1, 'bench', ?1)")
        var world = LoadWorld(seed: shape.seed, stream: 5)
        let (landmark, change) = Self.example(&world)
        var random = SeededGenerator(seed: 1)
        // The first half of an id from some day, in the form that storage uses for keys. Each row increments it.
        var (key, rev): (Int64, Int64) = (0x0193_3c6e_7f3a_7000, 0)
        var shape = shape
        shape.loop = .closed(window: rows)
        var run = LoadRun(shape, from: NanoClock.now, watch)
        while case let before = NanoClock.now, before < run.end, run.tally.done < run.most, !watch.stop.isAsked {
            let isCounting = run.begins(at: before)
            let rows = Int(min(UInt64(rows), run.most - run.tally.done))
            try db.inTransaction {
                for _ in 0..<rows {
                    (key, rev) = (key + 1, rev + 1)
                    landmarks.bind(2, key)
                    landmarks.bind(3, Int64.random(in: .min ... -1, using: &random))
                    try landmarks.run(lending: landmark, at: 1)
                    changes.bind(2, rev)
                    changes.bind(3, 1_772_357_400_000 + rev)
                    try changes.run(lending: change, at: 1)
                }
            }
            guard isCounting else { continue }
            let now = NanoClock.now
            run.count(before) { tally in
                tally.sent += UInt64(rows)
                for _ in 0..<rows { tally.record(now - before, bytes: landmark.count + change.count, at: now) }
            }
        }
        return run.result(sentUntil: NanoClock.now)
    }

    private static let tables = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA wal_autocheckpoint = 4000;
        PRAGMA cache_size = -32768;
        CREATE TABLE landmarks (key INTEGER PRIMARY KEY, low INTEGER NOT NULL, record BLOB NOT NULL) STRICT;
        CREATE TABLE changes (
            rev INTEGER PRIMARY KEY, previous INTEGER NOT NULL, landmarks INTEGER NOT NULL, at INTEGER NOT NULL,
            operation INTEGER NOT NULL, version INTEGER NOT NULL, user TEXT NOT NULL, payload BLOB NOT NULL
        ) STRICT;
        """

    /// Makes a landmark and its change in encoded form, like those that the load test writes through a service.
    private static func example(_ world: inout LoadWorld) -> (landmark: [UInt8], change: [UInt8]) {
        let place = world.position()
        let id = UUIDv7(high: 0x0193_3c6e_7f3a_7c21, low: 0x9b0e_2f6d_8a41_c7e5)
        let landmark = WireLandmark.with {
            $0.id = Data(id.bytes)
            $0.name = LoadName.make(100_000, &world) + " " + LoadName.word()
            ($0.lat, $0.lng, $0.kind, $0.user) = (place.latitude, place.longitude, "viewpoint", "bench")
            ($0.version, $0.rev, $0.created, $0.updated) = (1, 100_000, 1_772_357_400_000, 1_772_357_400_000)
        }
        let change = WireChange.with {
            ($0.rev, $0.at, $0.operation) = (100_000, 1_772_357_400_000, .added)
            ($0.user, $0.landmark) = ("bench", landmark)
        }
        return (landmark.encoded, change.encoded)
    }
}

/// The reason why plain SQLite could not write, with SQLite's message and the file.
public struct BareDiskError: Error, CustomStringConvertible {
    public let description: String
}
