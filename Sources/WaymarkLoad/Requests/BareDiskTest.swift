// SPDX-License-Identifier: Apache-2.0

import CSQLite
import FoundationEssentials
import Landmarks
public import LoadTest
import SwiftProtobuf
import WaymarkProtocol

/// Measures durable writes with plain calls of SQLite. Each write inserts the rows of a landmark and of a change into
/// tables like those of storage, with time-ordered keys like storage's ids, in WAL mode with `synchronous=FULL`.
///
/// Storage additionally writes its answer as a third row, and maintains a search index. This test does neither.
public struct BareDiskTest: Sendable {
    /// The maximum number of commands that storage puts into one commit.
    private static let mostInCommit = 1_024

    /// A folder on the disk that is measured.
    public var directory: String

    public init(directory: String) { self.directory = directory }

    /// - Parameter rowsPerCommit: the number of rows in each commit, as measured with the tested service; nil for the
    ///   number of operations that a closed loop keeps in flight.
    public func run(_ shape: LoadShape, rowsPerCommit: Int? = nil, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            let path = "\(directory)/bare-\(UUID().uuidString).sqlite"
            defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
            let disk = try BareDisk(path: path)
            var inFlight = 1
            if case .closed(let window) = shape.loop {
                inFlight = min(max(1, window * shape.clients), Self.mostInCommit)
            }
            return try write(disk, rowsPerCommit.map { max(1, $0) } ?? inFlight, shape, watch)
        }
    }

    private func write(_ disk: BareDisk, _ rows: Int, _ shape: LoadShape, _ watch: LoadWatch) throws -> LoadResult {
        var world = LoadWorld(seed: shape.seed, stream: 5)
        let (landmark, change) = Self.example(&world)
        var shape = shape
        shape.loop = .closed(window: rows)
        var run = LoadRun(shape, from: NanoClock.now, watch)
        while case let before = NanoClock.now, before < run.end, run.tally.done < run.most, !watch.stop.isAsked {
            let isCounting = run.begins(at: before)
            let rows = Int(min(UInt64(rows), run.most - run.tally.done))
            try disk.commit(rows, landmark: landmark, change: change)
            guard isCounting else { continue }
            let now = NanoClock.now
            run.count(before) { tally in
                tally.sent += UInt64(rows)
                for _ in 0..<rows { tally.record(now - before, bytes: landmark.count + change.count, at: now) }
            }
        }
        return run.result(sentUntil: NanoClock.now)
    }

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
public struct BareDiskError: Error, CustomStringConvertible { public let description: String }

/// The database of the test. Used on one thread only.
private final class BareDisk {
    private let path: String
    private var database: OpaquePointer?
    private var landmark: OpaquePointer?
    private var change: OpaquePointer?
    private var random = SeededGenerator(seed: 1)
    private var rev: Int64 = 0
    /// The first half of an id from some day, in the form that storage uses for keys. Each row increments it.
    private var key: Int64 = 0x0193_3c6e_7f3a_7000

    init(path: String) throws(BareDiskError) {
        self.path = path
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw failure }
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 4000",
            "PRAGMA cache_size = -32768",
            "CREATE TABLE landmarks (key INTEGER PRIMARY KEY, low INTEGER NOT NULL, record BLOB NOT NULL) STRICT",
            """
            CREATE TABLE changes (
                rev INTEGER PRIMARY KEY, previous INTEGER NOT NULL, landmarks INTEGER NOT NULL, at INTEGER NOT NULL,
                operation INTEGER NOT NULL, version INTEGER NOT NULL, user TEXT NOT NULL, payload BLOB NOT NULL
            ) STRICT
            """,
        ] { try execute(sql) }
        sqlite3_prepare_v2(database, "INSERT INTO landmarks VALUES (?2, ?3, ?1)", -1, &landmark, nil)
        sqlite3_prepare_v2(database, "INSERT INTO changes VALUES (?2, 0, ?2, ?3, 1, 1, 'bench', ?1)", -1, &change, nil)
    }

    deinit {
        sqlite3_finalize(landmark)
        sqlite3_finalize(change)
        sqlite3_close(database)
    }

    func commit(_ rows: Int, landmark record: [UInt8], change payload: [UInt8]) throws(BareDiskError) {
        try execute("BEGIN IMMEDIATE")
        for _ in 0..<rows {
            rev += 1
            key += 1
            try insert(landmark, record, key, .random(in: .min ... -1, using: &random))
            try insert(change, payload, rev, 1_772_357_400_000 + rev)
        }
        try execute("COMMIT")
    }

    private func insert(
        _ statement: OpaquePointer?, _ blob: [UInt8], _ key: Int64, _ other: Int64
    ) throws(BareDiskError) {
        sqlite3_bind_int64(statement, 2, key)
        sqlite3_bind_int64(statement, 3, other)
        let status = blob.withUnsafeBytes { bytes in
            // SQLite does not copy the bytes without a destructor, so they must stay valid until the step has ended.
            _ = sqlite3_bind_blob(statement, 1, bytes.baseAddress, CInt(bytes.count), nil)
            return sqlite3_step(statement)
        }
        sqlite3_reset(statement)
        guard status == SQLITE_DONE else { throw failure }
    }

    private func execute(_ sql: String) throws(BareDiskError) {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: BareDiskError {
        BareDiskError(description: "SQLite cannot write \(path): \(String(cString: sqlite3_errmsg(database))).")
    }
}
