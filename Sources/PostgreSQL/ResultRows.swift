// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The answer to a statement: its rows, and what it did. All rows are in memory, also after the connection is closed.
public struct ResultRows: RandomAccessCollection {
    let answer: Answer
    public let count: Int

    init(_ answer: Answer) {
        self.answer = answer
        count = Int(PQntuples(answer.result))
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// A row that does not exist has no columns.
    public subscript(index: Int) -> ResultRow { ResultRow(self, index) }

    /// The command tag: `INSERT 0 1`, `COMMIT`, …
    public var commandTag: String { answer.commandTag }

    /// The number of rows that were selected, inserted, updated, deleted or copied; 0 for other statements.
    public var affectedRows: Int { PQcmdTuples(answer.result).flatMap { Int(String(cString: $0)) } ?? 0 }
}
