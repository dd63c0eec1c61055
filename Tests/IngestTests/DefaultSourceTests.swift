// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Ingest
import Landmarks
import TestTurns
import Testing

/// The source that ships in config/.
@Suite(.inShortTurn)
struct DefaultSourceTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/sydney.json")

    @Test(arguments: [SourceFormat.auto, .seed])
    func holdsFiveLandmarks(format: SourceFormat) throws {
        let rows = try format.rows(in: [UInt8](try Data(contentsOf: Self.file)))
        #expect(rows.format == "seed")
        #expect(rows.names == ["Milsons Point", "Bondi Beach", "Circular Quay", "Manly Beach", "Darling Harbour"])
        #expect(rows.rejected.isEmpty && rows.notices.isEmpty)
        #expect(
            try rows.rows.map(\.draft.coordinate) == [
                Coordinate(latitude: -33.850750, longitude: 151.212519),
                Coordinate(latitude: -33.889967, longitude: 151.276440),
                Coordinate(latitude: -33.860178, longitude: 151.212706),
                Coordinate(latitude: -33.797151, longitude: 151.288784),
                Coordinate(latitude: -33.873379, longitude: 151.200940),
            ])
    }
}
