// SPDX-License-Identifier: Apache-2.0

/// What deleting old changes and old points of tracks needs of a database, for the one writer.
///
/// Each call is a transaction of its own, or part of one: what is deleted was found before, and only the writer adds or
/// deletes.
protocol UpkeepTables {
    func head() throws -> Head
    /// The oldest revision that the log keeps; 1 while there is none.
    func floor() throws -> UInt64
    /// When the revisions from `first` to below `end` were made, in Unix milliseconds and in their order, until `body`
    /// returns false.
    func times(from first: UInt64, below end: UInt64, _ body: (_ rev: UInt64, _ at: UInt64) throws -> Bool) throws
    /// - Parameter revs: the oldest.
    func deleteChanges(_ revs: Range<UInt64>) throws

    /// The next tracks in the order of their landmarks' keys, and whether those landmarks exist.
    func tracks(after key: UInt64, limit: Int) throws -> [(landmark: UInt64, exists: Bool)]
    /// When the points of a track were written, `limit` of them in the order of revisions, until `body` returns false.
    func pointTimes(
        of landmark: UInt64, limit: Int, _ body: (_ rev: UInt64, _ written: UInt64) throws -> Bool
    ) throws
    /// Of each track the points up to a revision.
    func deletePoints(_ old: [(landmark: UInt64, through: UInt64)]) throws
}
