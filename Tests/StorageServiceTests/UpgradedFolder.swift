// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Landmarks
import SQLite
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules

/// A folder for a database that releases with different schemas open. The folder is removed with the value.
struct UpgradedFolder {
    private let scratch = Scratch()

    var path: String { scratch.path }
    var database: String { path + "/waymark.sqlite" }

    /// A folder with a database of 50 landmarks.
    static func filled() throws -> UpgradedFolder {
        let folder = UpgradedFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let pool = try DatabaseQueue(path: folder.database, readers: 5)
        try SQLiteSchema.migrator().migrate(pool)
        try pool.writeWithoutTransaction { db in
            let rules = try BatchRunner(.sqlite(db), window: AnswerWindow(), uptime: .zero, logger: .silent)
            try db.execute(sql: "BEGIN IMMEDIATE TRANSACTION")
            let requests = try (1...50).map { number in
                WriteRequest(
                    client: UUIDv7(high: 1, low: 1), sequence: UInt64(number),
                    digest: RequestDigest(of: Array("\(number)".utf8)), caller: .anyone(user: "armando"),
                    now: 1_700_000_000_000,
                    command: .add(try draft("old \(number)"), note: "note \(number)"))
            }
            _ = try rules.apply(requests, in: db, isGuarded: false, uptime: .zero, commit: { _, _ in try db.commit() })
        }
        pool.close()
        return folder
    }

    /// The copies that upgrades have made, by name.
    func copies() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix("waymark.sqlite.schema-") }.sorted().map { "\(path)/\($0)" }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try Self.read(database, body) }

    static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: path, configuration: configuration)
        defer { file.close() }
        return try file.read(body)
    }

    /// Starts storage in a process of its own.
    func start(_ environment: [String: String] = [:]) throws -> Program {
        try Program(
            "\(Products.folder)/waymark-storage",
            ["--data", path, "--listen", "ipc://\(path)/l", "--changes", "ipc://\(path)/c"],
            environment: environment, directory: path, log: path + ".log")
    }

    /// The messages of that process.
    func log() throws -> String { try String(contentsOfFile: path + ".log", encoding: .utf8) }
}
