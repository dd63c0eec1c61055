// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Geodesy
import Glibc

/// A private PostgreSQL server in a temporary folder. Commits wait for the disk: `fsync` and `synchronous_commit` are on,
/// as they are by default.
final class PostgreSQLServer {
    private let server: Program
    private let children: Children
    private let binaries: String
    let port: UInt16
    private let directory: String
    private var runs = 0
    /// PostgreSQL refuses to run as root. Debian's package creates this user.
    private static let user = "postgres"

    init(_ children: Children, withPostGIS: Bool = false) throws {
        self.children = children
        binaries = try Self.folder(withPostGIS: withPostGIS)
        port = try Ports.free()
        directory = "\(children.directory)/postgresql-\(port)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if geteuid() == 0 {
            guard let owner = getpwnam(Self.user) else { throw TableError.notInstalled("user \(Self.user)") }
            chown(directory, owner.pointee.pw_uid, owner.pointee.pw_gid)
        }
        _ = try Tools.output(
            try Self.words(
                "\(binaries)/initdb", "-D", "\(directory)/data", "-U", "postgres", "-A", "trust", "-E", "UTF8"))
        let words = try Self.words(
            "\(binaries)/postgres", "-D", "\(directory)/data", "-p", "\(port)", "-c", "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=\(directory)", "-c", "shared_buffers=512MB")
        server = try children.start(words[0], Array(words.dropFirst()), log: "postgresql-\(port)")
        do {
            var tries = 0
            while (try? query("SELECT 1")) == nil {
                tries += 1
                guard tries < 100, server.status == nil, !children.stop.isAsked else {
                    throw TableError.doesNotStart("PostgreSQL", log: "nobody answers on port \(port)")
                }
                usleep(100_000)
            }
            if withPostGIS { _ = try query("CREATE EXTENSION postgis") }
        } catch {
            children.end(server)
            throw error
        }
    }

    func end() { children.end(server) }

    /// The versions of PostgreSQL and PostGIS.
    func versions() throws -> (String, String) {
        let all = try query("SHOW server_version; SELECT postgis_lib_version()").split(separator: "\n").map(String.init)
        return (all.first ?? "", all.last ?? "")
    }

    func fill(_ points: [Coordinate], questions: [Coordinate]) throws {
        func rows(_ places: [Coordinate]) -> String {
            places.enumerated().map { "\($0)\tSRID=4326;POINT(\($1.longitude) \($1.latitude))\n" }.joined()
        }
        for (name, places) in [("points", points), ("questions", questions)] {
            _ = try query("CREATE TABLE \(name) (id int, place geography(Point, 4326))")
            _ = try Tools.output(psql + ["-c", "COPY \(name) FROM STDIN"], input: rows(places))
        }
        _ = try query("CREATE INDEX ON points USING gist (place)")
        _ = try query("CREATE UNIQUE INDEX ON questions (id)")
        _ = try query("VACUUM ANALYZE")
    }

    /// - Returns: answers a second with this many clients; each sends a new query after an answer.
    func rate(clients: Int, questions: Int, seconds: Double) throws -> Double {
        try rate(
            clients: clients, seconds: seconds,
            script: """
                \\set i random(0, \(questions - 1))
                SELECT id FROM points ORDER BY place <-> (SELECT place FROM questions WHERE id = :i) LIMIT 20;

                """)
    }

    /// - Returns: transactions a second with this many clients of pgbench, a program in C; each sends the next one
    ///   after an answer.
    func rate(clients: Int, seconds: Double, script text: String) throws -> Double {
        let script = "\(children.directory)/script.sql"
        try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        // No signal may be blocked, although the parent process may block some: pgbench ends at SIGALRM.
        runs += 1
        let bench = try children.start(
            "\(binaries)/pgbench",
            [
                "-h", "127.0.0.1", "-p", "\(port)", "-U", "postgres", "-n", "-M", "prepared", "-c", "\(clients)", "-j",
                "1", "-T", "\(max(1, Int(seconds.rounded())))", "-f", script, "postgres",
            ], log: "pgbench\(port)-\(runs)")
        defer { children.end(bench) }
        guard bench.wait(.seconds(seconds + 30)) == 0 else { throw TableError.unreadable("pgbench") }
        let told = try String(contentsOfFile: "\(children.directory)/pgbench\(port)-\(runs).log", encoding: .utf8)
        guard let line = told.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) })
        else { throw TableError.unreadable("pgbench") }
        return rate
    }

    /// The query plan of a question.
    func plan() throws -> String {
        try query(
            "EXPLAIN SELECT id FROM points ORDER BY place <-> (SELECT place FROM questions WHERE id = 1) LIMIT 20")
    }

    func query(_ sql: String) throws -> String { try Tools.output(psql + ["-c", sql]) }

    private var psql: [String] {
        [
            "\(binaries)/psql", "-h", "127.0.0.1", "-p", "\(port)", "-U", "postgres", "-X", "-q", "-A", "-t", "-v",
            "ON_ERROR_STOP=1", "postgres",
        ]
    }

    /// Debian's folder for the programs of the newest version.
    private static func folder(withPostGIS: Bool) throws -> String {
        let root = "/usr/lib/postgresql"
        let releases = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
            .sorted()
        for release in releases.reversed() {
            let (binaries, extensions) = ("\(root)/\(release)/bin", "/usr/share/postgresql/\(release)/extension")
            if FileManager.default.isExecutableFile(atPath: "\(binaries)/postgres"),
                !withPostGIS || FileManager.default.fileExists(atPath: "\(extensions)/postgis.control")
            {
                return binaries
            }
        }
        throw TableError.notInstalled(
            withPostGIS
                ? "PostgreSQL with PostGIS (Debian: postgresql-15-postgis-3)" : "PostgreSQL (Debian: postgresql-15)")
    }

    private static func words(_ program: String, _ arguments: String...) throws -> [String] {
        guard geteuid() == 0 else { return [program] + arguments }
        return [
            try Tools.find("setpriv"), "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all",
            program,
        ] + arguments
    }
}
