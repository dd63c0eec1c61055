// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The answer to a statement: its rows, and a summary of its effect. It stays valid after the connection is closed.
public struct ResultRows: RandomAccessCollection {
    let answer: Answer
    public let count: Int

    init(_ answer: Answer) {
        self.answer = answer
        count = Int(PQntuples(answer.result))
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// Returns a row. A row with an index out of range has no columns.
    public subscript(index: Int) -> ResultRow { ResultRow(self, index) }

    /// The command tag, for example `INSERT 0 1` or `COMMIT`.
    public var commandTag: String { answer.commandTag }

    /// The number of rows that were selected, inserted, updated, deleted or copied; 0 for other statements.
    public var affectedRows: Int { PQcmdTuples(answer.result).flatMap { Int(String(cString: $0)) } ?? 0 }
}
