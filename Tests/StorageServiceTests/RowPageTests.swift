// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import StorageRules

@Suite("Pages of rows", .inShortTurn)
struct RowPageTests {
    @Test(
        "a page ends at its rows or at its size, has one row at least, and says whether there was another",
        arguments: [([1, 1, 1], 2), ([11, 0], 1), ([5, 6], 1), ([5, 5], 2)])
    func ends(sizes: [Int], fit: Int) {
        var page = RowPage<Int>(limit: 2, mostBytes: 10)
        let taken = sizes.map { size in page.take(size, bytes: size) }
        #expect(taken == sizes.indices.map { $0 < fit })
        #expect(page.rows == Array(sizes.prefix(fit)))
        #expect(page.hasMore == (fit < sizes.count))
    }
}
