// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import PostgreSQL

/// Durable writes of storage on PostgreSQL, beside what PostgreSQL does without it, and beside storage on SQLite.
struct EnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines", abstract: "Writes on PostgreSQL and on SQLite, beside bare commits.")

    @Option(help: "Seconds of each measurement.") var seconds = 4
    @Option(help: "Rounds of everything.") var rounds = 5

    /// Bytes of a row as storage writes them.
    private static let payload = 230

    func run() async throws {
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let server = try PostgreSQLServer(children)
        try server.prepareWrites(record: 150, payload: Self.payload)
        let url = "postgresql://postgres@127.0.0.1:\(server.port)/storage"
        _ = try server.query("CREATE DATABASE storage")
        let (onServer, onFile) = (try Services(children, engine: url), try Services(children))
        for services in [onServer, onFile] { await (try services.client()).close() }
        for round in 1...rounds {
            let bare = try Self.bareRate(port: server.port, seconds: seconds)
            let ours = try rate(onServer, window: 256, children)
            let eight = try server.writeRate(.change, clients: 8, seconds: Double(seconds))
            let one = try rate(onServer, window: 1, children)
            let file = try rate(onFile, window: 256, children)
            let oneFile = try rate(onFile, window: 1, children)
            print(
                String(
                    format:
                        "round %d: bare unnest of 256 %.0f/s; storage on PostgreSQL, window 256 %.0f/s (%.2f of it), "
                        + "window 1 %.0f/s; 8 clients of one commit each %.0f/s (%.2f); on SQLite %.0f/s and %.0f/s",
                    round, bare, ours, ours / bare, one, eight, ours / eight, file, oneFile))
            if let code = interruption.exitCode { throw ExitCode(code) }
        }
    }

    /// 256 rows of three columns in one statement and one commit, over and over.
    private static func bareRate(port: UInt16, seconds: Int) throws -> Double {
        let url = try ConnectionURL("postgresql://postgres@127.0.0.1:\(port)/postgres")
        let connection = try Connection(PostgreSQL.Configuration(url: url))
        defer { connection.close() }
        try connection.executeScript(
            "DROP TABLE IF EXISTS bare; CREATE TABLE bare (rev bigint PRIMARY KEY, at bigint NOT NULL, payload bytea NOT NULL)"
        )
        let statement = try connection.prepare(
            "INSERT INTO bare SELECT * FROM unnest($1, $2, $3)", [.int8Array, .int8Array, .byteaArray])
        let payload = [UInt8](repeating: 0x5a, count: Self.payload)
        let (payloads, times) = ([[UInt8]?](repeating: payload, count: 256), [Int64?](repeating: 1, count: 256))
        let begun = ContinuousClock.now
        var rows: Int64 = 0
        while ContinuousClock.now - begun < .seconds(seconds) {
            let ids = (rows..<rows + 256).map { Int64?.some($0) }
            try connection.run(statement, [.int8Array(ids), .int8Array(times), .byteaArray(payloads)])
            rows += 256
        }
        return Double(rows) / ((ContinuousClock.now - begun) / .seconds(1))
    }

    private func rate(_ services: Services, window: Int, _ children: Children) throws -> Double {
        let products = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let text = try Tools.output([
            "\(products)/waymark", "bench", "write", "--connect", services.commands, "--window", "\(window)",
            "--duration", "\(seconds)s", "--output", "json", "--as", "measure",
        ])
        let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let figures = ((parsed?["runs"] as? [[String: Any]])?.first)?["figures"] as? [String: Any]
        guard let done = figures?["done"] as? Double, let seconds = figures?["seconds"] as? Double, seconds > 0 else {
            throw TableError.unreadable("waymark bench")
        }
        return done / seconds
    }
}
