// SPDX-License-Identifier: Apache-2.0

import Foundation
import WaymarkClient
import WaymarkProtocol

extension Session {
    /// Prints up to `limit` hits, in as many pages as that takes.
    ///
    /// - Parameter page: asks for a page of so many rows after a cursor.
    func printPages(
        _ limit: Int, from cursor: Data?, isMeasured: Bool, showsCursor: Bool,
        page: (Int, Data?) async throws(ClientError) -> HitPage
    ) async throws {
        var printer = HitPrinter(output, isMeasured: isMeasured)
        var cursor = cursor
        var last: Standing?
        repeat {
            let answer = try await page(min(limit - printer.count, WaymarkProtocol.pageRows), cursor)
            try printer.print(answer.hits)
            (cursor, last) = (answer.cursor, answer.standing)
            if answer.hits.isEmpty { break }
        } while printer.count < limit && cursor != nil
        try printer.finish(cursor: cursor, showsCursor: showsCursor)
        if let last { tell(last) }
    }
}
