// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

extension OpeningHoursEvaluator {
    /// Makes an evaluator for a question and the moment that its cursor has kept; nil if it does not ask for openings.
    ///
    /// - Parameters:
    ///   - kept: the moment of the earlier pages; nil on the first page.
    ///   - isFirst: whether this is the first page.
    ///   - now: Unix milliseconds.
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
        // A later page uses the moment of the first one: otherwise landmarks that open or close in between would be
        // missing or repeated.
        guard isFirst || kept != nil, wire.at == 0 || kept == nil || wire.at == kept else {
            throw .outOfRange("cursor", "one from a page of the same question")
        }
        self.init(at: kept ?? asked, isFilter: true, cache)
    }
}
