// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

@Suite(
    "PostgreSQL over TLS", .ifPostgreSQLIsInstalled,
    .enabled(if: Installation.canMakeCertificates, "openssl is not installed"),
    .postgreSQL(TestServer.Options(listensOnTCP: true, hasTLS: true)), .computing)
struct TLSTests {
    private static func connect(_ parameters: String = "sslmode=require") throws -> Connection {
        let url = try TestServer.current().tcpURL() + "?" + parameters
        var configuration = Configuration(url: try ConnectionURL(url))
        configuration.answerTimeout = .seconds(60)
        return try Connection(configuration)
    }

    @Test("much in both directions")
    func large() throws {
        let connection = try Self.connect()
        #expect(
            try connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").first?.bool(0) == true)
        var pipeline = Pipeline()
        for number in 0..<32 {
            try pipeline.execute("SELECT $1", [.bytea(Array(repeating: UInt8(number), count: 300_000))])
        }
        for (number, result) in try connection.run(pipeline).enumerated() {
            let (first, count) = try #require(try result.get().first).withBytea(0) { ($0.first, $0.count) }
            #expect(first == UInt8(number) && count == 300_000)
        }
    }

    @Test("the end of a backend is noticed, and a certificate that nobody knows is refused")
    func refused() throws {
        let connection = try Self.connect()
        let error = PostgreSQLTests.error { try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
        guard case .connectionLost(true, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let unknown = PostgreSQLTests.error { _ = try Self.connect("sslmode=verify-full&sslrootcert=/dev/null") }
        guard case .cannotConnect? = unknown else {
            Issue.record("\(String(describing: unknown))")
            return
        }
    }
}
