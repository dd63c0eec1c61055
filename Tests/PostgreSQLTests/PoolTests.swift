// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import PostgreSQL
import Synchronization
import TestPostgreSQL
import Testing

extension PostgreSQLTests {
    @Suite("Connections that many use")
    struct PoolTests {
        private static func pool(_ count: Int, name: String = "") throws -> ConnectionPool {
            var configuration = try configuration(try TestServer.current())
            configuration.applicationName = name
            return ConnectionPool(configuration, most: count)
        }

        @Test("more reads than connections wait for their turn, and all are done")
        func many() async throws {
            let pool = try Self.pool(3, name: "many")
            let most = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        try await pool.read { connection in
                            let row = try connection.execute(
                                """
                                SELECT $1, (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'many')
                                FROM pg_sleep(0.002)
                                """, [.int8(Int64(number))]
                            ).first
                            #expect(try row?.int8(0) == Int64(number))
                            return try row?.int8(1) ?? -1
                        }
                    }
                }
                return try await group.reduce(0) { max($0, $1) }
            }
            #expect(most > 1 && most <= 3)
            pool.close()
            await #expect(throws: PostgreSQLError.closed) { try await pool.read { _ in } }
        }

        @Test("a read cannot write, sees one state, and hands its error on")
        func reads() async throws {
            let pool = try Self.pool(1)
            let other = try connect()
            try other.executeScript("DROP TABLE IF EXISTS pr; CREATE TABLE pr (k int8)")
            let error = await #expect(throws: PostgreSQLError.self) {
                try await pool.read { connection in _ = try connection.execute("INSERT INTO pr VALUES (1)") }
            }
            guard case .readOnly? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let level = try await pool.read { try $0.execute("SHOW transaction_isolation").first?.text(0) }
            #expect(level == "repeatable read")
            await #expect(throws: ColumnError.noColumn(3)) {
                try await pool.read { try $0.execute("SELECT 1").first?.int4(3) }
            }
            pool.close()
        }

        @Test("a connection that was lost while it was idle is replaced without an error, one in use with it")
        func lost() async throws {
            let pool = try Self.pool(1, name: "lost")
            let server = try TestServer.current()
            let first = try await pool.read { $0.backendPID }
            let query = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'lost'"
            #expect(try server.psql(query) == "t")
            let second = try await pool.read { $0.backendPID }
            #expect(first != second)
            let error = await #expect(throws: PostgreSQLError.self) {
                try await pool.read { connection in
                    _ = try server.psql(query)
                    _ = try connection.execute("SELECT 1")
                }
            }
            guard case .connectionLost(false, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await pool.read { $0.backendPID } != second)
            pool.close()
        }

        @Test("a pool of a server that is down says so, and goes on when it is up")
        func down() async throws {
            let server = try TestServer()
            let pool = ConnectionPool(try configuration(server), most: 5)
            server.stop()
            for _ in 0..<2 {
                let error = await #expect(throws: PostgreSQLError.self) { try await pool.read { _ in } }
                guard case .cannotConnect? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
            }
            try server.start()
            #expect(try await pool.read { try $0.execute("SELECT 1").first?.int4(0) } == 1)
            pool.close()
            server.close()
        }
    }
}
