// SPDX-License-Identifier: Apache-2.0

/// Replies to writes, under ids without gaps. The rules keep in memory which id belongs to which request.
package protocol AnswerTable {
    /// Passes on all answers, in the order of their ids.
    func forEach(_ body: (_ id: UInt64, AnswerBook.Key) throws -> Void) throws
    func find(_ id: UInt64) throws -> AnswerBook.Answer?
    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) throws
    /// - Parameter ids: the oldest answers. The range includes its start, because a database that searches for the
    ///   oldest row may have to pass over deleted rows.
    func delete(_ ids: Range<UInt64>) throws
    /// The oldest and the newest id; zeros if the table is empty.
    func ends() throws -> (oldest: UInt64, newest: UInt64)
}
