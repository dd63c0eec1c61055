// SPDX-License-Identifier: Apache-2.0

import Ingest
import TestTurns
import Testing

@Suite(.inShortTurn)
struct UnreadableHoursTests {
    @Test func areKeptWithANotice() throws {
        let rows = try SourceFormat.csv.rows(
            in: "name,lat,lng,opening_hours\nA,1,2,Mo-Fr 09:00-17:00\nB,1,2,whenever we like\nC,1,2,\n")
        #expect(rows.rows.map(\.draft.attributes.openingHours) == ["Mo-Fr 09:00-17:00", "whenever we like", ""])
        #expect(rows.notices.map(\.place) == ["line 3 (B)"])
        #expect(
            rows.notices.map(\.text)
                == ["The opening hours \"whenever we like\" cannot be read and are kept as text."])
    }
}
