// SPDX-License-Identifier: Apache-2.0

/// Brings a schema up to date by named migrations, each applied once, in order and in a transaction of its own.
public struct DatabaseMigrator: Sendable {
    /// The table that holds the names of applied migrations.
    public static let table = "waymark_migrations"

    private var all: [(name: String, run: @Sendable (Database) throws -> Void)] = []

    public init() {}

    /// The names of all migrations, in their order.
    public var migrations: [String] { all.map(\.name) }

    public mutating func registerMigration(_ name: String, _ run: @escaping @Sendable (Database) throws -> Void) {
        all.append((name, run))
    }

    /// Returns the names of applied migrations, including migrations that this release does not know.
    public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
        let tables = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [Self.table])
        guard tables ?? 0 > 0 else { return [] }
        return Set(try String.fetchAll(db, sql: "SELECT name FROM \(Self.table)"))
    }

    /// Applies the migrations that are missing.
    public func migrate(_ writer: DatabaseQueue) throws {
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS \(Self.table) (name TEXT NOT NULL PRIMARY KEY)")
            let applied = try appliedIdentifiers(db)
            for migration in all where !applied.contains(migration.name) {
                try db.inTransaction {
                    try migration.run(db)
                    try db.execute(
                        sql: "INSERT INTO \(Self.table) VALUES (?)", arguments: [migration.name])
                }
            }
        }
    }
}
