// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import WaymarkClient
import WaymarkProtocol

extension Session {
    /// Prints up to `limit` hits, reading as many pages as necessary.
    ///
    /// - Parameters:
    ///   - filter: the filter of the query, to explain an empty result.
    ///   - page: requests a page with this many rows after a cursor.
    func printPages(
        _ limit: Int, from cursor: Data?, _ printer: HitPrinter, showsCursor: Bool, filter: LandmarkFilter,
        page: (Int, Data?) async throws(ClientError) -> HitPage
    ) async throws {
        var printer = printer
        var cursor = cursor
        var last: Standing?
        var found: [Hit] = []
        repeat {
            let answer = try await page(min(limit - printer.count, WaymarkProtocol.pageRows), cursor)
            try printer.print(answer.hits, openingAt: answer.openingAt)
            found += answer.hits.prefix(KeptResult.mostHits - found.count)
            (cursor, last) = (answer.cursor, answer.standing)
            if answer.hits.isEmpty { break }
        } while printer.count < limit && cursor != nil
        keep(found, isMeasured: printer.isMeasured)
        let nothing = printer.count == 0 ? await nothing(of: filter) : nil
        try printer.finish(cursor: cursor, showsCursor: showsCursor, nothing: nothing)
        if let last { tell(last) }
    }
}
