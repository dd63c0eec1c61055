// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Landmarks
import PostgreSQL
import SQLite
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageOnSQLite
@testable import StorageRules
@testable import StorageService

@Suite("A database is copied to the other engine", .onPostgreSQL("copies to a server"), .inTurn)
struct TransferTests {
    /// A directory with a database of SQLite that has rows in every table.
    private static func filled(landmarks: Int) throws -> Scratch {
        let scratch = Scratch()
        let engine = try SQLiteEngine(directory: scratch.path, logger: .silent)
        var sequence: UInt64 = 0
        func send(_ command: Command, deed: AuditDeed? = nil) throws -> WireReply {
            sequence += 1
            let request = WriteRequest(
                client: UUIDv7(high: 7, low: 7), sequence: sequence,
                digest: RequestDigest(of: Array("\(sequence)".utf8)),
                caller: deed == nil ? .anyone(user: "Žofia") : .machine, deed: deed, now: 1_700_000_000_000 + sequence,
                command: command)
            return try WireReply(serializedBytes: engine.apply([request]).replies[0])
        }
        for number in 0..<landmarks {
            let receipt = try Receipt(send(.add(try draft("Ort \(number) — ☕️"), note: number % 3 == 0 ? "é" : nil)))
            if number % 5 == 0 { _ = try send(.move(receipt.id, to: draft("x", 1, 2).coordinate, at: nil)) }
            if number % 7 == 0 { _ = try send(.remove(receipt.id, ifVersion: nil)) }
        }
        _ = try send(.ingest(batch("quelle", [("a", try draft("A")), ("ä", try draft("Ä"))])))
        _ = try send(
            .beginFetch(
                .with { ($0.source, $0.url, $0.format, $0.everyMs, $0.leaseMs) = ("quelle", "u", "f", 1, 5) }))
        let deed = AuditDeed(deed: "test", origin: "")
        _ = try send(.account(.create(name: "Ann", .user, .init(digest: [1, 2], expires: 9))), deed: deed)
        let key = AccountCommand.NewKey(key: try CurveKeyPair.generate().publicKey, label: "k")
        _ = try send(.account(.addKey(key, account: "Ann")), deed: deed)
        _ = try send(.account(.adopt(name: "Žofia", account: "Ann")), deed: deed)
        _ = try send(.addFence(name: "Küste", filter: WireFeedFilter.with { $0.kinds = ["beach"] }.encoded))
        _ = try send(.addHook(try HookDraft(.with { ($0.name, $0.url) = ("ä", "https://example.org/") })))
        _ = try send(.changeHook(try HookChange(.with { ($0.act, $0.name) = (.test, "ä") })))
        let market = try Receipt(send(.add(try draft("market"), note: nil, expires: 1_800_000_000_000)))
        let grant = WireAddGrant.with {
            ($0.kind, $0.digest, $0.landmark) = (.move, .init(repeating: 1, count: 32), market.id.wire)
        }
        _ = try send(.addGrant(try GrantRules.checked(grant)))
        engine.close()
        return scratch
    }

    private static func copy(
        _ source: TransferPlace, _ target: TransferPlace, _ progress: (String, Int) throws -> Void = { _, _ in }
    ) throws -> DatabaseTransfer.Report {
        try TransferPlace.copy(from: source, to: target) { table, rows in try? progress(table, rows) }
    }

    /// PostgreSQL ends a session, and gives back its lock, a moment after its client has closed the connection.
    private static func awaitRelease(_ url: String) throws {
        let connection = try Connection(PostgreSQL.Configuration(url: ConnectionURL(url)))
        defer { connection.close() }
        let held = """
            SELECT count(*) FROM pg_locks
            WHERE locktype = 'advisory' AND objid::int8 = hashtext(current_schema())::int8 & 4294967295
            """
        try blockUntil { try connection.execute(held).first?.int8(0) == 0 }
    }

    private static func digests(_ path: String) throws -> [String: DatabaseTransfer.Digest] {
        let queue = try DatabaseQueue(path: path + "/waymark.sqlite")
        defer { queue.close() }
        return try queue.writeWithoutTransaction { db in
            try Dictionary(
                uniqueKeysWithValues: CopiedTable.all.map {
                    ($0.name, try DatabaseTransfer.digest(of: $0, CopiedRows(db)))
                })
        }
    }

    @Test func thereAndBack() async throws {
        let (source, back) = (try Self.filled(landmarks: 60), Scratch())
        let url = try TestedEngine.newURL()
        let before = try Self.digests(source.path)
        for (name, digest) in before where name != "forgotten" { #expect(digest.rows > 0, "\(name) is empty") }
        let there = try Self.copy(.directory(source.path), .server(url))
        try Self.awaitRelease(url)
        #expect(there.tables.map(\.rows) == CopiedTable.all.map { before[$0.name]?.rows })
        _ = try Self.copy(.server(url), .directory(back.path))
        #expect(try Self.digests(back.path) == before)

        // Storage runs on both, each with an epoch of its own.
        let server = try EngineSetting.server(url)
        let (first, second) = (
            try SQLiteEngine(directory: source.path, logger: .silent),
            try PostgreSQLEngine.opened(server)
        )
        defer {
            first.close()
            second.close()
        }
        #expect(first.position.epoch != second.position.epoch && first.position.rev == second.position.rev)
        // What a copy sent would come twice.
        let hooks = [
            try await first.reader.hooks(WireListHooks(), by: 0, limit: 9).hooks.map(\.state),
            try await second.reader.hooks(WireListHooks(), by: 0, limit: 9).hooks.map(\.state),
        ]
        #expect(hooks == [[.active], [.paused]])
        let request = WriteRequest(
            client: UUIDv7(high: 7, low: 7), sequence: 1_000_000, digest: RequestDigest(of: [1]),
            caller: .anyone(user: "armando"), now: 1_800_000_000_000, command: .add(try draft("new"), note: "n"))
        let reply = try WireReply(serializedBytes: second.apply([request]).replies[0])
        #expect(try Receipt(reply).rev == first.position.rev + 1)
        // A request that was answered before the copy gets the same answer after it.
        var old = request
        (old.sequence, old.digest) = (1, RequestDigest(of: Array("1".utf8)))
        #expect(try first.apply([old]).replies == second.apply([old]).replies)
        // Numbers that the database gives go on.
        let create = WriteRequest(
            client: UUIDv7(high: 7, low: 7), sequence: 1_000_001, digest: RequestDigest(of: [2]), caller: .machine,
            deed: AuditDeed(deed: "test", origin: ""), now: 1_800_000_000_000,
            command: .account(.create(name: "Bob", .user, nil)))
        #expect(try WireReply(serializedBytes: second.apply([create]).replies[0]).account.account.number == 2)
    }

    @Test func anInterruptedCopyGoesOnWhereItWas() throws {
        let source = try Self.filled(landmarks: 20)
        let url = try TestedEngine.newURL()
        // As if it had been killed after the first tables.
        let directory = try DatabaseQueue(path: source.path + "/waymark.sqlite")
        let connection = try Connection(PostgreSQL.Configuration(url: ConnectionURL(url)))
        try PostgreSQLSchema.migrate(connection, place: "")
        try directory.writeWithoutTransaction { db in
            let (rows, target) = (CopiedRows(db), CopiedRows(connection))
            try target.claim(for: try rows.head())
            for table in CopiedTable.all.prefix(4) {
                try target.append(
                    try rows.rows(of: table, after: [], limit: table.name == "changes" ? 7 : .max), to: table)
            }
        }
        directory.close()
        // No storage starts on a part.
        #expect(throws: EngineError.self) { try PostgreSQLEngine.opened(EngineSetting.server(url)).close() }
        try Self.awaitRelease(url)
        let report = try Self.copy(.directory(source.path), .server(url))
        let changes = try #require(report.tables.first { $0.name == "changes" })
        #expect(changes.resumed == 7 && changes.rows > 20)
        try Self.awaitRelease(url)
        #expect(throws: TransferError.notEmpty) { try Self.copy(.directory(source.path), .server(url)) }
    }

    @Test func aSourceThatWentOnIsNotMixedWithItsPast() throws {
        let source = try Self.filled(landmarks: 5)
        let url = try TestedEngine.newURL()
        let connection = try Connection(PostgreSQL.Configuration(url: ConnectionURL(url)))
        try PostgreSQLSchema.migrate(connection, place: "")
        let directory = try DatabaseQueue(path: source.path + "/waymark.sqlite")
        try directory.writeWithoutTransaction { db in try CopiedRows(connection).claim(for: try CopiedRows(db).head()) }
        directory.close()
        try SQLiteEngine(directory: source.path, logger: .silent).close()
        #expect(throws: TransferError.otherSource) { try Self.copy(.directory(source.path), .server(url)) }
    }

    @Test func aRowThatIsNotTheSameIsNoticed() throws {
        let source = try Self.filled(landmarks: 30)
        let url = try TestedEngine.newURL()
        let error = #expect(throws: TransferError.self) {
            try Self.copy(.directory(source.path), .server(url)) { table, _ in
                guard table == "changes" else { return }
                let other = try Connection(PostgreSQL.Configuration(url: ConnectionURL(url)))
                try other.execute("UPDATE landmarks SET low = low + 1 WHERE key = (SELECT max(key) FROM landmarks)")
            }
        }
        guard case .differs("landmarks", _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "a database of before the first release, or of a later one, is refused",
        arguments: ["1 history", "9 of tomorrow"])
    func otherSchemas(name: String) throws {
        let url = try TestedEngine.newURL()
        try PostgreSQLEngine.opened(EngineSetting.server(url)).close()
        try Self.awaitRelease(url)
        let connection = try Connection(PostgreSQL.Configuration(url: ConnectionURL(url)))
        try connection.execute("UPDATE waymark_migrations SET name = $1 WHERE name = '1 landmarks'", [.text(name)])
        connection.close()
        let place = "\(try ConnectionURL(url))"
        let error =
            name == "1 history"
            ? EngineError.beforeFirstRelease(path: place)
            : .newerSchema(path: place, found: name, known: "4 people")
        let scratch = Scratch()
        #expect(throws: error) { try Self.copy(.server(url), .directory(scratch.path)) }
    }

    @Test func aDatabaseInUseIsRefused() throws {
        let url = try TestedEngine.newURL()
        let engine = try PostgreSQLEngine.opened(EngineSetting.server(url))
        defer { engine.close() }
        let scratch = Scratch()
        let place = "\(try ConnectionURL(url))"
        #expect(throws: TransferError.inUse(place)) { try Self.copy(.server(url), .directory(scratch.path)) }
        let source = try Self.filled(landmarks: 1)
        #expect(throws: TransferError.inUse(place)) { try Self.copy(.directory(source.path), .server(url)) }
    }
}
