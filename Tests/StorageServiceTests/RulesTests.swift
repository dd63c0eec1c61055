// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import PostgreSQL
import SQLite
import TestPostgreSQL
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageOnSQLite
@testable import StorageRules

/// The rules run over the tables of an engine. Whatever the engine, the same commands have the same outcome.
@Suite("The rules, over the tables of each engine", .computing)
struct RulesTests {
    /// The rules over one engine's tables, with the ids that they have given.
    final class World {
        let runner: CommandRunner
        private(set) var landmarks: [Landmark.ID] = []
        private(set) var notes: [Note.ID] = []

        init(_ tables: WriterTables) throws { runner = try CommandRunner(tables) }

        /// What has come of a command, without ids.
        func outcome(_ command: Command, _ caller: Caller, now: UInt64) throws -> String {
            let request = WriteRequest(
                client: UUIDv7(high: 1, low: 1), sequence: 1, digest: RequestDigest(high: 0, low: 0), caller: caller,
                deed: nil, now: now, command: command)
            runner.hooks.uptime = .milliseconds(Int(now % 1_000_000_000))
            do {
                var reply = try WireReply(serializedBytes: runner.run(request))
                if case .add = command { landmarks.append(try #require(UUIDv7(bytes: reply.written.id))) }
                if case .written(let written)? = reply.result, !written.note.isEmpty {
                    notes.append(try #require(UUIDv7(bytes: written.note)))
                }
                if case .written = reply.result {
                    (reply.written.id, reply.written.note) = (.init(), .init())
                }
                switch reply.result {
                case .pointsAdded: reply.pointsAdded.landmark = .init()
                case .grants: for place in reply.grants.grants.indices { reply.grants.grants[place].landmark = .init() }
                default: break
                }
                let changes = runner.takeChanges().map { "\($0.rev) \($0.operation?.rawValue ?? "-")" }
                return "\(try reply.jsonString()) \(changes) \(runner.head) \(runner.accounts.revision)"
            } catch let refusal as ServiceError {
                return "\(refusal.code.name): \(refusal.message)"
            }
        }
    }

    /// A database in PostgreSQL, if these tests are for it: what the engine has there before the first batch.
    private static func workingSet() throws -> WorkingSet? {
        guard TestedEngine.current == .postgreSQL else { return nil }
        let server = try TestedEngine.newServer()
        let connection = try Connection(PostgreSQL.Configuration(url: server.url))
        try PostgreSQLSchema.migrate(connection, place: "the test")
        try connection.execute("INSERT INTO history VALUES (1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0)")
        let taken = PostgreSQLServer.Taken(
            connection: connection, term: try WriterTerm(takingOver: connection), newestRemoved: 0, holdsLock: false)
        let session = WriterSession(
            server, taken, run: UUIDv7(high: 3, low: 4), control: EngineControl(), uptime: { .zero }, logger: .silent)
        return WorkingSet(session, newestRemoved: 0)
    }

    @Test("4,000 random commands have the same outcomes over each engine, and over dictionaries", arguments: [1, 2, 3])
    func sameOutcomes(seed: UInt64) throws {
        let queue = try DatabaseQueue()
        try SQLiteSchema.migrator(newEpoch: UUIDv7(high: 1, low: 2)).migrate(queue)
        try queue.writeWithoutTransaction { db in
            let memory = MemoryTables()
            let set = try Self.workingSet()
            let worlds =
                try [.sqlite(db), memory.tables].map(World.init)
                + [set.map { try World(.postgreSQL($0)) }].compactMap { $0 }
            var random = SplitMix64(seed: seed)
            var counts: [String: Int] = [:]
            for number in 0..<4_000 {
                let (draw, now) = (random.next(), 1_700_000_000_000 + UInt64(number) * 1_000)
                let caller = RandomCommand.caller(&random)
                // Some rows are in the tables, some in memory only, and some in both.
                if number % 5 == 0 { try set?.settle() }
                if number % 20 == 0 { set?.clear() }
                let outcomes = try worlds.map { world in
                    // Each world has ids of its own, so the command is made for each, from the same numbers.
                    var dice = SplitMix64(seed: draw)
                    return try world.outcome(RandomCommand.make(in: world, UInt64(number), &dice), caller, now: now)
                }
                #expect(Set(outcomes).count == 1, "command \(number) by \(caller): \(outcomes)")
                counts[String(outcomes[0].prefix(8)), default: 0] += 1
            }
            // The commands did not all come to the same.
            #expect(counts.count > 8, "\(counts)")
            try set?.settle()
            let sizes: [(String, Int)] = [
                ("landmarks", memory.rows.landmarks.count), ("changes", memory.rows.changes.count),
                ("removals", memory.rows.removals.count),
                ("notes", memory.rows.notes.count), ("source_rows", memory.rows.sources.count),
                ("track_points", memory.rows.points.values.reduce(0) { $0 + $1.count }),
                ("grants", memory.rows.grants.count), ("expiries", memory.rows.expiries.count),
                ("accounts", memory.rows.accounts.count),
                ("owner_tasks", memory.rows.tasks.count), ("fences", memory.rows.fences.count),
                ("hooks", memory.rows.hooks.count), ("hook_failures", memory.rows.failures.count),
            ]
            for (table, count) in sizes {
                let sql = "SELECT count(*) FROM \(table)"
                #expect(try Int.fetchOne(db, sql: sql) == count, "\(table)")
                if let set { #expect(try set.connection.execute(sql).first?.int8(0) == Int64(count), "\(table)") }
            }
        }
    }
}
