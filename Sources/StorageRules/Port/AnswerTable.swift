// SPDX-License-Identifier: Apache-2.0

/// The replies to writes, by ids without holes. The rules know in memory which id belongs to which request.
package protocol AnswerTable {
    /// Passes all of them on, in the order of their ids.
    func forEach(_ body: (_ id: UInt64, AnswerBook.Key) throws -> Void) throws
    func find(_ id: UInt64) throws -> AnswerBook.Answer?
    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) throws
    /// - Parameter ids: those of the oldest answers. Where they begin is said so that nobody has to look for it: a database may
    ///   have to pass what was deleted before.
    func delete(_ ids: Range<UInt64>) throws
    /// Zeros where there is none.
    func ends() throws -> (oldest: UInt64, newest: UInt64)
}
