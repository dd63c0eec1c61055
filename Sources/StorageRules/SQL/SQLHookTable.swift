// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

package struct SQLHookTable: HookTable {
    let db: any SQLSession

    func present() throws -> Position { try ReadTables(db).position() }
    func floor() throws -> UInt64 { try ReadTables(db).floor() }

    // MARK: Hooks

    func allHooks() throws -> [WireHook] {
        try db.values("SELECT id, record FROM hooks ORDER BY id", read: Self.hook)
    }

    func insert(_ hook: WireHook) throws -> UInt64 {
        try db.write(
            "INSERT INTO hooks (account, name, record, revision, rev) VALUES ($1, $2, $3, $4, $5)",
            [.bits(hook.account), .text(hook.name)] + Self.values(hook))
        return try db.value("SELECT max(id) FROM hooks") { row in try row.bits(0) } ?? 0
    }

    func update(_ hooks: [WireHook]) throws {
        try db.write(
            "UPDATE hooks SET record = $1, revision = $2, rev = $3 WHERE id = $4",
            each: hooks.map { try Self.values($0) + [.bits($0.id)] })
    }

    func delete(hook id: UInt64) throws {
        try db.write("DELETE FROM hook_failures WHERE hook = $1", [.bits(id)])
        try db.write("DELETE FROM hooks WHERE id = $1", [.bits(id)])
    }

    /// Calls `body` for hooks after a number, in the order of their numbers, until `body` returns false. A number
    /// from 2⁶³ on, which no hook has, would come before all others as a signed integer.
    ///
    /// - Parameter account: only the hooks of this account; nil for those of all.
    func hooks(after id: UInt64, of account: UInt64?, _ body: (WireHook) throws -> Bool) throws {
        // No account has this number.
        let owner = account.map(StoredValue.bits) ?? .integer(-1)
        try db.inPieces(
            "SELECT id, record FROM hooks WHERE ($1 < 0 OR account = $1) AND id > $2 ORDER BY id LIMIT $3",
            [owner], after: min(id, .max >> 1), limit: .max, first: 100
        ) { row in
            let hook = try Self.hook(row)
            return (hook.id, try body(hook))
        }
    }

    /// Returns the records of hooks that still need revisions below `rev`, in the order of their positions, as far as
    /// their next revision was made within `times`.
    func waiting(below rev: UInt64, in times: ClosedRange<UInt64>) throws -> [WireHook] {
        try db.values(
            """
            SELECT hooks.id, hooks.record FROM hooks JOIN changes ON changes.rev = hooks.rev + 1
            WHERE hooks.rev < $1 AND changes.at BETWEEN $2 AND $3 ORDER BY hooks.rev
            """, [.bits(rev), .bits(times.lowerBound), .bits(times.upperBound)], read: Self.hook)
    }

    /// The values of the columns record, revision and rev. Only a hook that goes on has a `rev`, for which the log waits.
    private static func values(_ hook: WireHook) throws -> [StoredValue] {
        [
            .blob(try hook.serializedBytes()), .bits(hook.revision),
            hook.state == .active ? .bits(hook.position.rev) : .integer(nil),
        ]
    }

    private static func hook(_ row: any StoredRow) throws -> WireHook { try decoded(row, "the record", \.id) }

    // MARK: Messages

    func insert(_ failure: WireHookFailure) throws {
        try db.write(
            "INSERT INTO hook_failures (hook, rev, record, due, bytes) VALUES ($1, $2, $3, $4, $5)",
            [
                .bits(failure.hook), .bits(failure.rev), .blob(try failure.serializedBytes()),
                .int(failure.due ? 1 : 0), .int(failure.body.count),
            ])
    }

    func failure(_ number: UInt64) throws -> WireHookFailure? {
        try failures("number = $1", [.bits(number)]).first
    }

    func failure(of hook: UInt64, rev: UInt64) throws -> WireHookFailure? {
        try failures("hook = $1 AND rev = $2 ORDER BY number DESC LIMIT 1", [.bits(hook), .bits(rev)]).first
    }

    func update(_ failure: WireHookFailure) throws {
        try db.write(
            "UPDATE hook_failures SET record = $1, due = $2 WHERE number = $3",
            [.blob(try failure.serializedBytes()), .int(failure.due ? 1 : 0), .bits(failure.number)])
    }

    func delete(failure number: UInt64) throws {
        try db.write("DELETE FROM hook_failures WHERE number = $1", [.bits(number)])
    }

    func dueHooks() throws -> [UInt64] {
        try db.values("SELECT DISTINCT hook FROM hook_failures WHERE due = 1 ORDER BY hook") { row in try row.bits(0) }
    }

    func due(of hook: UInt64, limit: Int) throws -> [WireHookFailure] {
        try failures("due = 1 AND hook = $1 ORDER BY number LIMIT $2", [.bits(hook), .int(limit)])
    }

    private func failures(_ condition: String, _ values: [StoredValue]) throws -> [WireHookFailure] {
        try db.values("SELECT number, record FROM hook_failures WHERE \(condition)", values, read: Self.failure)
    }

    /// Calls `body` for a hook's messages after a number, in order, until `body` returns false.
    func failures(of hook: UInt64, after number: UInt64, _ body: (WireHookFailure) throws -> Bool) throws {
        try db.inPieces(
            "SELECT number, record FROM hook_failures WHERE hook = $1 AND number > $2 ORDER BY number LIMIT $3",
            [.bits(hook)], after: min(number, .max >> 1), limit: .max, first: 16
        ) { row in
            let failure = try Self.failure(row)
            return (failure.number, try body(failure))
        }
    }

    private static func failure(_ row: any StoredRow) throws -> WireHookFailure {
        try decoded(row, "a message", \.number)
    }

    // MARK: Records

    /// Decodes the record in a row's second column. The first column has its number, which no record knows when it is
    /// encoded.
    private static func decoded<Kept: SwiftProtobuf.Message>(
        _ row: any StoredRow, _ what: String, _ number: WritableKeyPath<Kept, UInt64>
    ) throws -> Kept {
        guard var kept = try? Kept(serializedBytes: row.bytes(1)) else {
            throw EngineError.corrupted("\(what) of a hook cannot be read")
        }
        kept[keyPath: number] = try row.bits(0)
        return kept
    }
}
