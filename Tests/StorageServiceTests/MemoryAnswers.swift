// SPDX-License-Identifier: Apache-2.0

import Landmarks

@testable import StorageRules

/// The answers of ``MemoryTables``.
struct MemoryAnswers: AnswerTable {
    private let memory: MemoryTables

    init(_ memory: MemoryTables) { self.memory = memory }

    func forEach(_ body: (UInt64, AnswerBook.Key) throws -> Void) throws {
        for (id, row) in memory.rows.answers.sorted(by: { $0.key < $1.key }) { try body(id, row.key) }
    }

    func find(_ id: UInt64) -> AnswerBook.Answer? { memory.rows.answers[id]?.answer }

    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) {
        memory.rows.answers[id] = (key, answer)
    }

    func delete(_ ids: Range<UInt64>) { memory.rows.answers = memory.rows.answers.filter { !ids.contains($0.key) } }

    func ends() -> (oldest: UInt64, newest: UInt64) {
        (memory.rows.answers.keys.min() ?? 0, memory.rows.answers.keys.max() ?? 0)
    }
}

/// The marks of ``MemoryTables``.
struct MemoryMarks: MarkTable {
    private let memory: MemoryTables

    init(_ memory: MemoryTables) { self.memory = memory }

    func forEach(_ body: (UInt64, UUIDv7, UInt64) throws -> Void) throws {
        for (id, row) in memory.rows.marks.sorted(by: { $0.key < $1.key }) { try body(id, row.client, row.sequence) }
    }

    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) { memory.rows.marks[id] = (client, sequence) }

    func delete(_ ids: Range<UInt64>) { memory.rows.marks = memory.rows.marks.filter { !ids.contains($0.key) } }

    func newest() -> UInt64 { memory.rows.marks.keys.max() ?? 0 }
}
