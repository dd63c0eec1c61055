// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

extension PostgreSQLTests {
    @Suite("Connections")
    struct ConnectionTests {
        @Test("a connection tells of its server, and goes by its name")
        func told() throws {
            var configuration = try configuration(try TestServer.current())
            configuration.applicationName = "tests of PostgreSQL"
            let connection = try Connection(configuration)
            #expect(connection.serverVersion >= 150_000)
            #expect(connection.parameterStatus("server_version")?.isEmpty == false)
            #expect(connection.parameterStatus("client_encoding") == "UTF8")
            #expect(connection.parameterStatus("nothing") == nil)
            let row = try #require(
                try connection.execute(
                    "SELECT pid, application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()"
                ).first)
            let (pid, name) = (try row.int4(0), try row.text(1))
            #expect(pid == connection.backendPID && name == "tests of PostgreSQL")
            let named = try PostgreSQLTests.configuration(
                try TestServer.current(), parameters: "application_name=of%20the%20URL")
            #expect(try Connection(named).execute("SHOW application_name").first?.text(0) == "of the URL")
        }

        @Test("another client encoding is refused: by the URL, by an option, by a statement")
        func encodings() throws {
            let server = try TestServer.current()
            for name in ["LATIN1", "SQL_ASCII", "auto", ""] {
                #expect(throws: PostgreSQLError.encodingIsNotUTF8(name)) {
                    try ConnectionURL(server.url(parameters: "client_encoding=\(name)"))
                }
            }
            for name in ["UTF8", "utf-8", "unicode"] {
                _ = try ConnectionURL(server.url(parameters: "client_encoding=\(name)"))
            }
            _ = try server.psql(
                "CREATE ROLE latin LOGIN; ALTER ROLE latin SET client_encoding = 'LATIN1'; "
                    + "CREATE ROLE ascii LOGIN; ALTER ROLE ascii SET client_encoding = 'SQL_ASCII'")
            // What the client asks for goes before what the role or the URL's options have.
            let options = "options=-cclient_encoding%3DLATIN1"
            for url in [
                server.url(user: "latin"), server.url(user: "ascii"), server.url(parameters: options),
            ] {
                let connection = try Connection(Configuration(url: try ConnectionURL(url)))
                #expect(connection.parameterStatus("client_encoding") == "UTF8")
                #expect(throws: PostgreSQLError.encodingIsNotUTF8("LATIN1")) {
                    try connection.execute("SET client_encoding = 'LATIN1'")
                }
                #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
                #expect(connection.isClosed)
            }
        }

        @Test("URLs that are none are refused, and no description has the password")
        func urls() throws {
            let secret = "sEcReT"
            for text in [
                "", "host=localhost password=\(secret)", "mysql://u:\(secret)@h/d", "postgresql://u:\(secret)/x@h/d",
                "postgresql://u:x@\(secret)@h/d", "postgresql://u:x/\(secret)@h:1/d",
                "postgresql://u:\(secret)@h/d?no=1",
                "postgresql://u:\(secret)@[::1/d", "postgresql://u:\(secret)%zz@h/d",
                "postgresql://h/?password=\(secret)@",
                "postgresql://u:\(secret)?x@h/d", "postgresql://u:\(secret)@h/d\0",
                "postgresql://u:\(secret)@h/d?client_encoding=LATIN1",
            ] {
                let error = try #require(PostgreSQLTests.error { _ = try ConnectionURL(text) })
                #expect(!"\(error) \(String(reflecting: error))".contains(secret), "\(text)")
            }
            // These are URLs, but nobody is there.
            for text in [
                "postgresql://u:\(secret)@127.0.0.1:1/d", "postgresql://u@127.0.0.1:1/d?password=\(secret)",
                "postgresql://u:\(secret)@127.0.0.1:\(secret)/d",
                "postgresql:///d?host=/tmp/\(secret)&password=\(secret)",
                "postgresql://u:\(secret)@127.0.0.1:1/d?sslpassword=\(secret)2",
                "postgresql://u:%73EcReT@127.0.0.1:1,127.0.0.1:2/d", "postgresql://u:\(secret)@127.0.0.1:99999/d",
                "postgresql://u:\(secret)@127.0.0.1:1/d?sslmode=\(secret)",
            ] {
                let url = try ConnectionURL(text)
                let error = try #require(PostgreSQLTests.error { _ = try Connection(Configuration(url: url)) })
                guard case .cannotConnect = error else {
                    Issue.record("\(error)")
                    continue
                }
                var dumped = "\(error) \(url) \(String(reflecting: url)) \(Configuration(url: url))"
                dump(Configuration(url: url), to: &dumped)
                #expect(!dumped.contains(secret), "\(text)")
            }
        }

        @Test("a password is needed on the network, and a wrong one is told apart")
        func passwords() throws {
            let server = try TestServer.current()
            let connection = try Connection(Configuration(url: try ConnectionURL(server.tcpURL())))
            #expect(try connection.execute("SELECT current_user::text").first?.text(0) == TestServer.user)
            // A statement's error may cite it too.
            let cited = PostgreSQLTests.error { try connection.executeScript("SELECT '\(TestServer.password)'::int8") }
            #expect(cited.map { !"\($0)".contains("w@rd") } == true)
            for url in [
                server.tcpURL(password: "wrong"), server.tcpURL(user: "nobody"),
                "postgresql://postgres@127.0.0.1:\(server.port)/",
            ] {
                let error = PostgreSQLTests.error { _ = try Connection(Configuration(url: try ConnectionURL(url))) }
                guard case .authenticationFailed? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(error.map { !"\($0)".contains("wrong") && !"\($0)".contains("LOCATION") } == true)
            }
            let missing = PostgreSQLTests.error {
                _ = try Connection(Configuration(url: try ConnectionURL(server.url(database: "missing"))))
            }
            #expect(missing == .cannotConnect(#"database "missing" does not exist"#))
        }

        @Test("one too many is told apart")
        func tooMany() throws {
            let server = try TestServer.current()
            _ = try server.psql("CREATE ROLE few LOGIN CONNECTION LIMIT 1")
            let configuration = Configuration(url: try ConnectionURL(server.url(user: "few")))
            let first = try Connection(configuration)
            let error = PostgreSQLTests.error { _ = try Connection(configuration) }
            guard case .tooManyConnections? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            first.close()
            try blockUntil { (try? Connection(configuration)) != nil }
        }

        @Test("who does not answer is not waited for longer than the time")
        func connectTimeout() throws {
            let silent = try SilentListener()
            var configuration = Configuration(
                url: try ConnectionURL("postgresql://u:p@127.0.0.1:\(silent.port)/d"))
            configuration.connectTimeout = .milliseconds(300)
            let start = ContinuousClock.now
            let error = PostgreSQLTests.error { _ = try Connection(configuration) }
            guard case .cannotConnect? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let time = ContinuousClock.now - start
            #expect(time >= .milliseconds(290) && time < .seconds(60))
        }

        @Test("a closed connection refuses, and says so")
        func closed() throws {
            let connection = try connect()
            let statement = try connection.prepare("SELECT 1")
            let rows = try connection.run(statement)
            connection.close()
            connection.close()
            #expect(throws: PostgreSQLError.closed) { try connection.run(statement) }
            #expect(throws: PostgreSQLError.closed) { try connection.execute("SELECT 1") }
            #expect(throws: PostgreSQLError.closed) { try connection.begin() }
            #expect(throws: PostgreSQLError.closed) { try connection.executeScript("SELECT 1") }
            #expect(connection.parameterStatus("server_version") == nil && !connection.isInsideTransaction)
            #expect(try rows.first?.int4(0) == 1)
        }

        @Test("nothing is left open: descriptors here, sessions there")
        func leaks() throws {
            // Other tests connect to the suite's meanwhile.
            // PostgreSQL ends a session after its client has gone, so that many may be there yet.
            let server = try TestServer(TestServer.Options(listensOnTCP: true, settings: ["max_connections=200"]))
            defer { server.close() }
            var configuration = try configuration(server)
            configuration.applicationName = "leaks"
            func open() throws {
                let connection = try Connection(configuration)
                #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT nothing") }
                try connection.begin()
                for _ in 0..<5 { try connection.execute("SELECT repeat('x', 100000)") }
                var pipeline = Pipeline()
                try pipeline.execute("SELECT 1/0")
                _ = try connection.run(pipeline)
            }
            try open()
            let before = Descriptors.count(to: server)
            for _ in 0..<30 {
                try open()
                for url in [server.tcpURL(password: "wrong"), server.url(database: "missing")] {
                    let refused = Configuration(url: try ConnectionURL(url))
                    #expect(throws: PostgreSQLError.self) { _ = try Connection(refused) }
                }
            }
            #expect(Descriptors.count(to: server) == before)
            let other = try Connection(try PostgreSQLTests.configuration(server))
            let sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leaks'"
            try blockUntil { try other.execute(sessions).first?.int8(0) == 0 }
            #expect(Descriptors.count(to: server) == before + 1)
        }
    }
}
