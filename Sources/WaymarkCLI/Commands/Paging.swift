// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkClient
import WaymarkProtocol

extension Session {
    /// Prints up to `most` hits, or all of them, from as many pages as necessary. While it prints a complete list, it
    /// keeps only one page in memory, and it says where the list broke off if it did.
    ///
    /// - Parameters:
    ///   - filter: the filter of the query, to explain an empty result.
    ///   - printer: prints the hits.
    ///   - page: requests a page with at most this many rows after a cursor.
    func printPages(
        of finding: FindOptions, _ filter: LandmarkFilter, atMost most: Int, to printer: HitPrinter,
        page: (Int, Data?) async throws(ClientError) -> HitPage
    ) async throws {
        let limit = finding.all ? nil : most
        var (printer, cursor, last) = (printer, finding.after, Freshness?.none)
        let progress = limit == nil ? ListProgress(output, from: cursor) : nil
        if let progress, Surroundings.current.ownsProcess { Signals.beforeTheEnd { progress.tellBreak() } }
        do {
            var found: [Hit] = []
            var hasMore = true
            while hasMore {
                let rows = limit.map { min($0 - printer.count, WaymarkProtocol.pageRows) } ?? WaymarkProtocol.pageRows
                let answer = try await page(rows, cursor)
                try printer.print(answer.hits, openingAt: answer.openingAt)
                if progress != nil { try printer.endTable() }
                found += answer.hits.prefix(KeptResult.mostHits - found.count)
                // A page without rows need not be the last page: perhaps none of the landmarks that it examined match.
                // In that case its cursor differs from the previous cursor.
                let hasMoved = !answer.hits.isEmpty || answer.cursor != cursor
                (cursor, last) = (answer.cursor, answer.freshness)
                progress?.printed(printer.count, before: cursor)
                hasMore = cursor != nil && hasMoved && printer.count < limit ?? .max
            }
            if limit == nil, cursor != nil {
                throw Failure("incomplete", "The service gives the same page again and again: try again.")
            }
            keep(found, isMeasured: printer.isMeasured)
            let nothing = printer.count == 0 ? await nothing(of: filter) : nil
            try printer.finish(cursor: cursor, showsCursor: finding.showCursor, nothing: nothing)
            if let last { tell(last) }
        } catch {
            if error as? SinkError != .readerGone { progress?.tellBreak() }
            throw error
        }
    }
}
