// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The rows of one page of an answer. A page ends at a number of rows, or at a size, but has at least one row.
struct RowPage<Row> {
    private let limit: Int
    private let mostBytes: Int
    private var bytes = 0
    private(set) var rows: [Row] = []
    /// Whether there was a row for which the page had no room.
    private(set) var hasMore = false

    init(limit: Int, mostBytes: Int = WaymarkProtocol.pageBytes) {
        (self.limit, self.mostBytes) = (limit, mostBytes)
    }

    /// Adds a row, unless the page is full.
    ///
    /// - Parameter size: an upper bound of the row's encoded size in bytes.
    /// - Returns: whether there was room.
    mutating func take(_ row: Row, bytes size: Int) -> Bool {
        bytes += size
        hasMore = rows.count >= limit || bytes > mostBytes && !rows.isEmpty
        if !hasMore { rows.append(row) }
        return !hasMore
    }
}
