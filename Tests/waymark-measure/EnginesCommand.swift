// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation

/// Durable writes of storage on PostgreSQL, beside what PostgreSQL does without it, and beside storage on SQLite.
struct EnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines", abstract: "Writes on PostgreSQL and on SQLite, beside bare commits.")

    @Option(help: "Seconds of each measurement.") var seconds = 4
    @Option(help: "Rounds of everything.") var rounds = 5
    @Option(help: "Milliseconds that PostgreSQL waits before each flush, as a slower disk does.")
    var flush = 0

    /// Bytes of a change as storage writes it.
    private static let payload = 230

    func run() async throws {
        let children = try Children()
        let interruption = Interruption(children)
        defer { children.end() }
        let server = try PostgreSQLServer(children)
        try server.prepareWrites(record: 150, payload: Self.payload)
        _ = try server.query("CREATE DATABASE storage")
        if flush > 0 {
            for setting in ["commit_delay = \(flush * 1_000)", "commit_siblings = 0"] {
                _ = try server.query("ALTER SYSTEM SET \(setting)")
            }
            _ = try server.query("SELECT pg_reload_conf()")
        }
        let url = "postgresql://postgres@127.0.0.1:\(server.port)/storage"
        let (onServer, onFile) = (try Services(children, engine: url), try Services(children))
        for services in [onServer, onFile] { await (try services.client()).close() }
        let bare = try BareInserts(url, payload: Self.payload)
        var ratios: [String: [Double]] = [:]
        for round in 1...rounds {
            let narrow = try bare.rate(.narrow, seconds: seconds)
            let same = try bare.rate(.same, seconds: seconds)
            let ours = (try rate(onServer, window: 256), try rate(onServer, window: 512))
            let eight = try server.writeRate(.change, clients: 8, seconds: Double(seconds))
            let one = (try rate(onServer, window: 1), try rate(onFile, window: 1))
            let file = try rate(onFile, window: 256)
            let text = """
                round %d: bare commits of 256: %.0f rows/s of three columns, %.0f/s of a write's rows
                  storage on PostgreSQL: window 256 %.0f/s, 512 %.0f/s, 1 %.0f/s; 8 clients of one commit each %.0f/s
                  storage on SQLite: window 256 %.0f/s, 1 %.0f/s
                """
            print(String(format: text, round, narrow, same, ours.0, ours.1, one.0, eight, file, one.1))
            for (name, ratio) in [
                ("window 256 to bare rows of three columns", ours.0 / narrow),
                ("window 512 to bare rows of three columns", ours.1 / narrow),
                ("window 256 to bare rows of a write", ours.0 / same),
                ("window 512 to bare rows of a write", ours.1 / same), ("window 256 to 8 clients", ours.0 / eight),
                ("window 256 to SQLite", ours.0 / file),
            ] { ratios[name, default: []].append(ratio) }
            if let code = interruption.exitCode { throw ExitCode(code) }
        }
        for (name, all) in ratios.sorted(by: { $0.key < $1.key }) {
            guard let spread = Spread(all) else { continue }
            print(String(format: "%@: %.2f (%.2f to %.2f)", name, spread.median, all.min() ?? 0, all.max() ?? 0))
        }
    }

    private func rate(_ services: Services, window: Int) throws -> Double {
        let products = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let text = try Tools.output([
            "\(products)/waymark", "bench", "write", "--yes", "--connect", services.commands, "--window", "\(window)",
            "--duration", "\(seconds)s", "--output", "json", "--as", "measure",
        ])
        // The report is the first line. What follows are notices.
        let report = text.prefix { $0 != "\n" }
        let parsed = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
        let figures = ((parsed?["runs"] as? [[String: Any]])?.first)?["figures"] as? [String: Any]
        guard let done = figures?["done"] as? Double, let seconds = figures?["seconds"] as? Double, seconds > 0 else {
            throw TableError.unreadable("waymark bench")
        }
        return done / seconds
    }
}
