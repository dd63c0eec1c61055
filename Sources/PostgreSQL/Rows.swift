// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// What a statement has answered: its rows, and what it did. All of them are in memory, also when the connection is closed.
public struct Rows: RandomAccessCollection {
    let answer: Answer
    public let count: Int

    init(_ answer: Answer) {
        self.answer = answer
        count = Int(PQntuples(answer.result))
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// A row that is not there has no columns.
    public subscript(index: Int) -> Row { Row(self, index) }

    /// `INSERT 0 1`, `COMMIT`, …
    public var commandTag: String { answer.commandTag }

    /// How many rows it has selected, inserted, updated, deleted or copied; 0 for other statements.
    public var affectedRows: Int { PQcmdTuples(answer.result).flatMap { Int(String(cString: $0)) } ?? 0 }
}
