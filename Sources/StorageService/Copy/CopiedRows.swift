// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// What a database says of all of it.
struct CopiedHead: Hashable, Sendable {
    var epoch: UUIDv7
    var head: Head
    /// The first half of the greatest id that was ever removed.
    var newest: UInt64
    /// The newest run; nil: no run has opened it yet.
    var run: UUIDv7?
}

/// A database whose rows are read in one state.
protocol CopiedSource {
    func head() throws -> CopiedHead
    func count(of table: CopiedTable) throws -> Int
    /// Up to `limit` rows in the order of keys.
    ///
    /// - Parameter key: that of the row before them; empty: from the first one on.
    func rows(of table: CopiedTable, after key: [CopiedValue], limit: Int) throws -> [[CopiedValue]]
}

/// A database that gets rows.
protocol CopiedTarget: CopiedSource {
    /// What it is being copied from; nil: nothing was begun.
    func claim() throws -> String?
    func claim(for source: CopiedHead) throws
    /// That of its last row; empty: there is none.
    func lastKey(of table: CopiedTable) throws -> [CopiedValue]
    func append(_ rows: [[CopiedValue]], to table: CopiedTable) throws
    /// After the last row: from now on a storage can be started on it.
    func finish(_ head: CopiedHead) throws
}

extension CopiedHead {
    /// One line, by which a target knows its source again.
    var text: String {
        "\(epoch) \(head.rev) \(head.landmarks) \(newest) \(run.map { "\($0)" } ?? "-")"
    }
}
