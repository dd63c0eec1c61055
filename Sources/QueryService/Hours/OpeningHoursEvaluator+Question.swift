// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

extension OpeningHoursEvaluator {
    /// Makes an evaluator for a query; nil if the query does not ask which landmarks are open.
    ///
    /// - Parameters:
    ///   - kept: the moment used for the pages before, which the cursor has kept; nil on the first page.
    ///   - isFirst: whether this is the first page.
    ///   - now: the present time in Unix milliseconds.
    convenience init?(
        _ wire: WireOpeningQuestion?, kept: UInt64?, isFirst: Bool, now: UInt64, _ cache: OpeningHoursCache
    ) throws(InvalidInput) {
        guard let wire else { return nil }
        guard wire.at <= Cursor.latestMoment else { throw .outOfRange("time", "before the year 2200") }
        let asked = wire.at == 0 ? now : wire.at
        guard wire.openOnly else {
            self.init(at: asked, isFilter: false, cache)
            return
        }
        // All pages use the moment of the first page. Otherwise landmarks that open or close between two pages would be
        // missing or repeated.
        guard isFirst || kept != nil, wire.at == 0 || kept == nil || wire.at == kept else {
            throw .outOfRange("cursor", "one from a page of the same question")
        }
        self.init(at: kept ?? asked, isFilter: true, cache)
    }
}
