// SPDX-License-Identifier: Apache-2.0

/// Statements that are sent one after the other, without waiting for the answers in between.
///
/// The statements from one ``sync()`` to the next are one transaction, unless they have their own: if one fails, the
/// statements after it are not run, and those before it are undone.
public struct Pipeline {
    enum Step {
        case run(Statement, Parameters)
        case execute(SQLText, Parameters)
        case sync

        /// The effect of the step's statement; nil for a sync.
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
    public private(set) var count = 0

    public init() {}

    public mutating func run(_ statement: Statement, _ parameters: [Parameter] = []) throws(PostgreSQLError) {
        let encoded = try Parameters(parameters)
        try encoded.check(statement.types)
        add(.run(statement, encoded))
    }

    public mutating func execute(_ sql: String, _ parameters: [Parameter] = []) throws(PostgreSQLError) {
        add(.execute(try SQLText(sql), try Parameters(parameters)))
    }

    /// Ends a part: an error in it does not keep the next part from being run. The last part needs no sync.
    public mutating func sync() { steps.append(.sync) }

    private mutating func add(_ step: Step) {
        steps.append(step)
        count += 1
    }
}
