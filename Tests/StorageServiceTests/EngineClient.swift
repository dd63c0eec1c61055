// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import Logging
import PostgreSQL
import SQLite
import SwiftProtobuf
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageOnSQLite
@testable import StorageRules

/// Where the engine under test keeps what it holds. With PostgreSQL both are a schema of its own.
enum Home: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, disk

    static var allCases: [Home] { TestedEngine.current == .postgreSQL ? [.disk] : [.memory, .disk] }

    var testDescription: String { rawValue }
}

/// A directory of one test, removed with it.
final class Scratch: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// An engine, and one client of it that numbers its requests.
final class EngineClient {
    let scratch: Scratch?
    private var tuning = EngineTuning()
    var engine: any StorageEngine
    private let server: PostgreSQLServer?
    var client = UUIDv7(high: 1, low: 1)
    var sequence: UInt64 = 0
    /// Unix milliseconds.
    var now: UInt64 = 1_700_000_000_000
    /// The newest revision of a key that was forgotten.
    var forgotten: UInt64 = 0
    /// All changes that were returned so far, encoded.
    var changes: [EncodedChange] = []

    /// - Parameter uptime: another clock than the machine's.
    init(
        _ home: Home, window: AnswerWindow = AnswerWindow(), uptime: (@Sendable () -> Duration)? = nil
    ) throws {
        tuning.answers = window
        if let uptime { tuning.uptime = uptime }
        // A machine that is busy with other tests is no reason to give up.
        tuning.searchPatience = .seconds(60)
        // A test does not wait to be told that there is room again.
        tuning.diskPause = .zero
        switch (TestedEngine.current, home) {
        case (.postgreSQL, _):
            let (server, scratch) = (try TestedEngine.newServer(), Scratch())
            (self.server, self.scratch) = (server, scratch)
            engine = try PostgreSQLEngine.opened(server, directory: scratch.path, tuning: tuning)
        case (.sqlite, .memory):
            (server, scratch) = (nil, nil)
            engine = try SQLiteEngine.inMemory(tuning: tuning, logger: .silent)
        case (.sqlite, .disk):
            let scratch = Scratch()
            (self.server, self.scratch) = (nil, scratch)
            engine = try SQLiteEngine(directory: scratch.path, tuning: tuning, logger: .silent)
        }
    }

    deinit { engine.close() }

    /// As after a restart.
    func reopen() throws {
        guard let scratch else { throw EngineError.closed }
        engine.close()
        if let server {
            engine = try PostgreSQLEngine.opened(server, directory: scratch.path, tuning: tuning)
        } else {
            engine = try SQLiteEngine(directory: scratch.path, tuning: tuning, logger: .silent)
        }
    }

    /// What a statement that both engines know selects.
    func integers(_ sql: String) throws -> [Int64] {
        if let engine = engine as? SQLiteEngine {
            return try engine.probe { db in try Int64.fetchAll(db, sql: sql) }
        }
        let server = try #require(server)
        return try Connection(PostgreSQL.Configuration(url: server.url)).execute(sql).map { try $0.int8(0) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTables) throws -> Value
    ) async throws(EngineError) -> Value {
        try await engine.reader.read(body)
    }

    /// For tests that look into its file, or have it fail.
    var sqlite: SQLiteEngine {
        get throws { try #require(engine as? SQLiteEngine, "the test needs the trait .onSQLite(…)") }
    }

    func request(_ command: Command, user: String = "armando") -> WriteRequest {
        sequence += 1
        return WriteRequest(
            client: client, sequence: sequence, digest: RequestDigest(of: Array("\(sequence)".utf8)),
            caller: .anyone(user: user), now: now, command: command)
    }

    func apply(_ batch: [WriteRequest]) throws -> [WireReply] {
        let applied = try engine.apply(batch)
        changes += applied.changes
        return try applied.replies.map { try WireReply(serializedBytes: $0) }
    }

    @discardableResult
    func send(_ command: Command, user: String = "armando") throws -> WireReply {
        try apply([request(command, user: user)])[0]
    }

    /// Sends what must be written.
    @discardableResult
    func write(_ command: Command, user: String = "armando") throws -> Receipt {
        try Receipt(send(command, user: user))
    }

    /// Sends what must be refused.
    func refused(_ command: Command, user: String = "armando") throws -> ErrorCode? {
        let reply = try send(command, user: user)
        guard case .failure(let failure) = reply.result else { return nil }
        return ErrorCode(rawValue: failure.code)
    }

    @discardableResult
    func add(_ name: String, _ latitude: Double = -33.85, _ longitude: Double = 151.21, note: String? = nil) throws
        -> Receipt
    {
        try write(.add(draft(name, latitude, longitude), note: note))
    }

    func landmark(_ id: Landmark.ID) async throws -> Landmark {
        try StoredLandmark(record: try await engine.reader.show(id, historyLimit: 1).landmark).landmark
    }

    /// Everything as a snapshot shows it.
    func all() async throws -> [Landmark] {
        var landmarks: [Landmark] = []
        var after: Landmark.ID?
        repeat {
            let page = try await engine.reader.snapshot(after: after, limit: 7, maxBytes: 1 << 20)
            landmarks += try page.landmarks.map { try StoredLandmark(record: $0).landmark }
            after = UUIDv7(bytes: page.next)
        } while after != nil
        return landmarks
    }

    func search(_ text: String, filter: LandmarkFilter = LandmarkFilter()) async throws -> [String] {
        var result: SearchResult?
        // On a busy machine the text search is behind for longer than one request waits.
        try await until("the text search has come so far") {
            do {
                result = try await engine.index.search(
                    try SearchText(text), limit: 100, filter: filter, atLeast: engine.position.rev)
            } catch EngineError.notYet {}
            return result != nil
        }
        return try #require(result).matches.map { try StoredLandmark(record: $0.record).landmark.name }
    }
}

/// The answer to a write of one landmark or note.
struct Receipt {
    var id: UUIDv7
    var rev: UInt64
    var version: UInt64
    var note: UUIDv7?
    var isUnchanged: Bool

    init(_ reply: WireReply) throws {
        guard case .written(let written) = reply.result else { throw Unexpected(reply: reply) }
        id = try UUIDv7(wire: written.id, "the id")
        rev = written.rev
        version = written.version
        note = UUIDv7(bytes: written.note)
        isUnchanged = written.unchanged
    }
}

struct Unexpected: Error {
    var reply: WireReply
}

func draft(
    _ name: String, _ latitude: Double = -33.85, _ longitude: Double = 151.21, kind: String = "", link: String = "",
    rating: Double? = nil
) throws -> LandmarkDraft {
    try LandmarkDraft(
        name: name, coordinate: Coordinate(latitude: latitude, longitude: longitude),
        attributes: Attributes(kind: kind, link: link, rating: rating))
}

func batch(
    _ source: String = "seed", _ rows: [(String, LandmarkDraft)] = [], vanished: [String] = [], dry: Bool = false
) -> IngestBatch {
    IngestBatch(
        source: source,
        rows: zip(UInt32(0)..., rows).map { IngestBatch.AcceptedRow(place: $0, key: $1.0, draft: $1.1) },
        rejected: [], vanished: vanished, isDryRun: dry)
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
