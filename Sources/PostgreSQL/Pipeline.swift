// SPDX-License-Identifier: Apache-2.0

/// Statements that are sent one after the other, without waiting for an answer after each.
///
/// The statements from one ``sync()`` to the next are one transaction, unless they contain transactions of their own.
/// If a statement fails, the statements before it are undone, and those after it are not run.
public struct Pipeline {
    enum Step {
        case run(Statement, Parameters)
        case execute(SQLText, Parameters)
        case sync

        /// The effect of the statement; nil for a sync.
        var effect: SQLText.Effect? {
            switch self {
            case .run(let statement, _): statement.effect
            case .execute(let sql, _): sql.effect
            case .sync: nil
            }
        }
    }

    private(set) var steps: [Step] = []

    /// The number of statements.
    public var count: Int { steps.count { $0.effect != nil } }

    public init() {}

    public mutating func run(_ statement: Statement, _ parameters: [Parameter] = []) throws(PostgreSQLError) {
        let encoded = try Parameters(parameters)
        try encoded.check(statement.types)
        steps.append(.run(statement, encoded))
    }

    public mutating func execute(_ sql: String, _ parameters: [Parameter] = []) throws(PostgreSQLError) {
        steps.append(.execute(try SQLText(sql), try Parameters(parameters)))
    }

    /// Ends a transaction. An error before the sync does not keep the statements after it from being run. After the
    /// last statement, no sync is needed.
    public mutating func sync() { steps.append(.sync) }
}
