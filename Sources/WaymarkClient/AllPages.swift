// SPDX-License-Identifier: Apache-2.0

/// Reads all pages of a list.
///
/// - Parameter page: reads the page after a row, or the first page for nil. Returns its rows, and whether there are more.
package func allPages<Row, Failure: Error>(
    _ page: (_ last: Row?) async throws(Failure) -> ([Row], Bool)
) async throws(Failure) -> [Row] {
    var rows: [Row] = []
    while true {
        let (next, hasMore) = try await page(rows.last)
        rows += next
        guard hasMore, !next.isEmpty else { return rows }
    }
}
