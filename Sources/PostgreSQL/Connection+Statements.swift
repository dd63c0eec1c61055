// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

extension Connection {
    /// Prepares a statement for parameters of these types, or returns the statement that was prepared for them before.
    public func prepare(_ sql: String, _ types: [ParameterType] = []) throws(PostgreSQLError) -> Statement {
        _ = try open()
        let key = Statement.Key(sql: try SQLText(sql), types: types)
        if let known = statements[key] { return known }
        guard types.count <= Parameters.mostParameters else { throw .parameter(.tooMany(types.count)) }
        let statement = Statement(key: key, name: "c\(number)s\(statements.count)", effect: key.sql.effect)
        // Preparing a statement does not run it.
        _ = try answer(.shows) { handle in
            PQsendPrepare(handle, statement.name, sql, CInt(clamping: types.count), types.map(\.oid))
        }
        statements[key] = statement
        return statement
    }

    /// Runs a prepared statement.
    @discardableResult
    public func run(_ statement: Statement, _ parameters: [Parameter] = []) throws(PostgreSQLError) -> ResultRows {
        _ = try open()
        let encoded = try Parameters(parameters)
        try encoded.check(statement.types)
        return ResultRows(try answer(statement.effect) { handle in encoded.send(handle, statement) })
    }

    /// Runs a statement without preparing it.
    @discardableResult
    public func execute(_ sql: String, _ parameters: [Parameter] = []) throws(PostgreSQLError) -> ResultRows {
        _ = try open()
        let (sql, encoded) = (try SQLText(sql), try Parameters(parameters))
        return ResultRows(try answer(sql.effect) { handle in encoded.send(handle, sql) })
    }

    /// Runs several statements without parameters, in one transaction unless they have their own. Discards the rows.
    public func executeScript(_ sql: String) throws(PostgreSQLError) {
        try receiveSent()
        let (handle, sql) = (try open(), try SQLText(sql))
        unanswered.sendScript()
        guard PQsendQuery(handle, sql.text) == 1 else { throw lost() }
        if let error = try lastAnswer(newDeadline()).1 { throw error }
    }
}

extension Parameters {
    private static var binaryResult: CInt { 1 }

    /// Sends a statement with the parameters. Returns 1; 0 if libpq failed.
    func send(_ handle: OpaquePointer, _ statement: Statement) -> CInt {
        withPointers { all in
            PQsendQueryPrepared(
                handle, statement.name, all.count, all.values, all.lengths, all.formats, Self.binaryResult)
        }
    }

    func send(_ handle: OpaquePointer, _ sql: SQLText) -> CInt {
        withPointers { all in
            PQsendQueryParams(
                handle, sql.text, all.count, all.types, all.values, all.lengths, all.formats, Self.binaryResult)
        }
    }
}
