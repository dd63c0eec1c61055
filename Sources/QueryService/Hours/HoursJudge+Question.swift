// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

extension HoursJudge {
    /// Judges by a question and by the moment that its cursor has kept; nil if the question does not ask for openings.
    ///
    /// - Parameters:
    ///   - kept: the moment of the earlier pages; nil on the first page.
    ///   - isFirst: whether this is the first page.
    ///   - now: Unix milliseconds.
    convenience init?(
        _ wire: WireOpeningQuestion?, kept: UInt64?, isFirst: Bool, now: UInt64, _ clerk: HoursClerk
    ) throws(InvalidInput) {
        guard let wire else { return nil }
        guard wire.at <= Cursor.latestMoment else { throw .outOfRange("time", "before the year 2200") }
        let asked = wire.at == 0 ? now : wire.at
        guard wire.openOnly else {
            self.init(at: asked, isFilter: false, clerk)
            return
        }
        // A later page uses the moment of the first one: otherwise landmarks that open or close in between would be
        // missing or repeated.
        guard isFirst || kept != nil, wire.at == 0 || kept == nil || wire.at == kept else {
            throw .outOfRange("cursor", "one that a page of the same question gave")
        }
        self.init(at: kept ?? asked, isFilter: true, clerk)
    }
}
