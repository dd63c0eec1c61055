// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestPostgreSQL
import Testing

@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests {
    /// The text search is of a history, not of a storage.
    @Suite("The text search of a storage that was replaced")
    struct ReplacedSearchTests {
        @Test("it goes on when that storage has the database again, and is not built anew")
        func goesOn() async throws {
            let client = try EngineClient(.disk)
            for number in 0..<5 { try client.add("place \(number)") }
            #expect(try await client.search("place").count == 5)
            let first = try #require(client.engine as? PostgreSQLEngine)
            let file = try #require(client.scratch?.path) + "/search.sqlite"
            let second = try SuccessionTests.successor("b", first.session.server)
            try second.add(3)
            // It does not know yet that it was replaced. What it read now it would take for its own.
            await #expect(throws: EngineError.superseded) { try await first.index.reach(8) }
            first.close()
            second.engine.close()
            // One that is built anew would have it again.
            let queue = try DatabaseQueue(path: file)
            try await queue.write { db in try db.execute(sql: "DELETE FROM docs WHERE name = 'place 0'") }
            queue.close()
            try client.reopen()
            #expect(client.engine.position.rev == 8)
            #expect(try await client.search("place").count == 4)
            #expect(try await client.search("b").count == 3)
        }
    }
}
