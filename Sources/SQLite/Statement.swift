// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A statement that is prepared once, and then bound and run with plain calls of SQLite.
///
/// A statement must be used where its connection may be used, that is, inside a closure that gets the ``Database``.
/// Bound values stay bound for the next run.
public final class Statement {
    // SQLite keeps a closed connection in memory until its last statement is finalized, so both pointers are valid as
    // long as this object lives.
    let handle: OpaquePointer
    private let connection: OpaquePointer
    public let sql: String

    init(_ handle: OpaquePointer, _ connection: OpaquePointer, sql: String) {
        (self.handle, self.connection, self.sql) = (handle, connection, sql)
    }

    /// - Throws: ``DatabaseError`` if SQLite cannot parse `sql`, or if the connection is closed.
    public init(_ db: Database, sql: String) throws(DatabaseError) {
        let connection = try db.open()
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, connection, sql: sql) }
        guard let handle else { throw DatabaseError(.misuse, "the text holds no statement", sql: sql) }
        (self.handle, self.connection, self.sql) = (handle, connection, sql)
        assert(isNumberedInOrder, "$1, $2, … are not in the order of their first use in: \(sql)")
        try db.admit(self)
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters, counted from 1

    // Binding fails only if an index or a size is out of range. Then the value stays NULL, which no table of Waymark
    // allows, so the step reports an error. SQLite copies texts and blobs, so they need not outlive the call.

    public func bind(_ parameter: CInt, _ value: Int64) { sqlite3_bind_int64(handle, parameter, value) }

    /// Binds a signed integer with the same 64 bits, because SQLite has no unsigned integers.
    public func bind(_ parameter: CInt, _ value: UInt64) {
        sqlite3_bind_int64(handle, parameter, Int64(bitPattern: value))
    }

    public func bind(_ parameter: CInt, _ value: Double) { sqlite3_bind_double(handle, parameter, value) }

    public func bind(_ parameter: CInt, _ value: String) {
        var value = value
        value.withUTF8 { bind(parameter, text: UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter text: the bytes of the text in UTF-8.
    public func bind(_ parameter: CInt, text: UnsafeRawBufferPointer) {
        // SQLite would bind NULL for a text without a base address.
        guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self), !text.isEmpty else {
            sqlite3_bind_text(handle, parameter, "", 0, nil)
            return
        }
        sqlite3_bind_text(handle, parameter, start, CInt(clamping: text.count), Self.copied)
    }

    public func bind(_ parameter: CInt, _ value: [UInt8]) {
        value.withUnsafeBytes { bind(parameter, blob: $0) }
    }

    public func bind(_ parameter: CInt, blob: UnsafeRawBufferPointer) {
        // SQLite would bind NULL for a blob without a base address.
        guard let start = blob.baseAddress, !blob.isEmpty else {
            sqlite3_bind_zeroblob(handle, parameter, 0)
            return
        }
        sqlite3_bind_blob(handle, parameter, start, CInt(clamping: blob.count), Self.copied)
    }

    public func bindNull(_ parameter: CInt) { sqlite3_bind_null(handle, parameter) }

    /// Binds values to all parameters, in order.
    ///
    /// - Throws: ``DatabaseError`` if the number of values is not the number of parameters.
    func bind(_ values: some Collection<(any SQLValue)?>) throws(DatabaseError) {
        guard values.count == parameters else {
            throw DatabaseError(.range, "the statement has \(parameters) parameters, not \(values.count)", sql: sql)
        }
        for (parameter, value) in zip(CInt(1)..., values) {
            if let value { value.bind(to: self, at: parameter) } else { bindNull(parameter) }
        }
    }

    var parameters: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Whether the parameter `$2`, if it is used, is the second parameter, and so on. To SQLite, `$2` is only a name.
    private var isNumberedInOrder: Bool {
        (1...CInt(max(1, parameters))).allSatisfy { number in
            guard let name = sqlite3_bind_parameter_name(handle, number) else { return true }
            let text = String(cString: name)
            return !text.hasPrefix("$") || text == "$\(number)"
        }
    }

    /// SQLITE_TRANSIENT, which is a macro that Swift does not import.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    // MARK: Running

    /// Runs the statement to its end.
    ///
    /// - Returns: the number of inserted, updated or deleted rows.
    @discardableResult
    public func run() throws(DatabaseError) -> Int {
        while try step() {}
        reset()
        return Int(sqlite3_changes(connection))
    }

    /// Binds a blob without copying it, runs the statement to its end, and then binds NULL instead of the blob.
    @discardableResult
    public func run(lending blob: [UInt8], at parameter: CInt) throws(DatabaseError) -> Int {
        try blob.withUnsafeBufferPointer { (bytes) throws(DatabaseError) in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                bind(parameter, blob: UnsafeRawBufferPointer(bytes))
                return try run()
            }
            // SQLITE_STATIC, because the bytes stay valid until NULL is bound.
            sqlite3_bind_blob(handle, parameter, start, CInt(clamping: bytes.count), nil)
            defer { bindNull(parameter) }
            return try run()
        }
    }

    /// Binds a value to each parameter, and runs the statement to its end.
    @discardableResult
    public func run(all values: [(any SQLValue)?]) throws(DatabaseError) -> Int {
        try bind(values)
        return try run()
    }

    /// - Returns: the result of `read` for the first row; nil if there is no row.
    public func first<Value>(_ read: (StatementRow) throws -> Value) throws -> Value? {
        defer { reset() }
        return try step() ? read(StatementRow(self)) : nil
    }

    /// Binds a value to each parameter, and calls `body` for each row in order until it returns false. Nothing else may
    /// run the statement meanwhile.
    public func forEach(_ values: [(any SQLValue)?] = [], _ body: (StatementRow) throws -> Bool) throws {
        try bind(values)
        defer { reset() }
        while try step(), try body(StatementRow(self)) {}
    }

    /// Moves to the next row. Returns false if there is none.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = DatabaseError(code, connection, sql: sql)
            // The reset returns the error of the step again.
            reset()
            throw error
        }
    }

    func reset() { sqlite3_reset(handle) }
}
