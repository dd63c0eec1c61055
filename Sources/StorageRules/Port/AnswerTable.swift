// SPDX-License-Identifier: Apache-2.0

/// Replies to writes, under ids without gaps. The rules remember in memory which id belongs to which request.
package protocol AnswerTable {
    /// Calls `body` for each answer, in the order of the ids.
    func forEach(_ body: (_ id: UInt64, AnswerBook.Key) throws -> Void) throws
    func find(_ id: UInt64) throws -> AnswerBook.Answer?
    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) throws
    /// - Parameter ids: the ids of the oldest answers. The start of the range is given too, because a database that had
    ///   to search for the oldest row might have to skip many deleted rows.
    func delete(_ ids: Range<UInt64>) throws
    /// Returns the oldest and the newest id; zeros if the table is empty.
    func ends() throws -> (oldest: UInt64, newest: UInt64)
}
