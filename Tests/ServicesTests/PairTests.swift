// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("The pair, through a client", .inTurn)
struct PairTests {
    static let sydney: [(name: String, latitude: Double, longitude: Double, metres: Double)] = [
        ("Milsons Point", -33.850750, 151.212519, 718.723),
        ("Bondi Beach", -33.889967, 151.276440, 6747.835),
        ("Circular Quay", -33.860178, 151.212706, 444.984),
        ("Manly Beach", -33.797151, 151.288784, 9489.410),
        ("Darling Harbour", -33.873379, 151.200940, 2268.756),
    ]

    static func add(_ client: WaymarkClient) async throws -> [Written] {
        var written: [Written] = []
        for place in sydney {
            written.append(
                try await client.add(
                    try LandmarkDraft(
                        name: place.name,
                        coordinate: try Coordinate(latitude: place.latitude, longitude: place.longitude), kind: "spot"))
            )
        }
        return written
    }

    @Test("near answers in true order, add is seen at once, over every transport", arguments: Transport.allCases)
    func nearInOrder(transport: Transport) async throws {
        try await withPair(transport) { pair, client in
            let written = try await Self.add(client)
            #expect(written.map(\.rev) == [1, 2, 3, 4, 5])
            let here = try Coordinate(latitude: -33.8568, longitude: 151.2153)
            let page = try await client.near(here)
            let expected = Self.sydney.sorted { $0.metres < $1.metres }
            #expect(page.hits.map(\.landmark.name) == expected.map(\.name))
            for (hit, place) in zip(page.hits, expected) {
                #expect(abs((hit.distance ?? 0) - place.metres) < 0.000_6)
            }
            #expect(page.cursor == nil)
            #expect(page.freshness.position.rev == 5)
            #expect(!page.freshness.isStorageAway)
        }
    }
}
