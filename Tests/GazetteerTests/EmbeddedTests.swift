// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import TestTurns
import Testing

@Suite(.computing)
struct EmbeddedTests {
    @Test("The file inside the program is whole, and knows the world")
    func world() throws {
        let gazetteer = try Gazetteer.embedded()
        #expect(gazetteer.count > 200_000)
        for (text, label) in [
            ("Patiala, Punjab", "Patiāla, Punjab, India"), ("new york", "New York City, New York, United States"),
            ("Warschau", "Warsaw, Mazovia, Poland"), ("paris texas", "Paris, Texas, United States"),
            ("Milsons Point NSW", "Milsons Point, New South Wales, Australia"),
            ("Sãoo Paulo", "São Paulo, São Paulo, Brazil"), ("vancouver bc", "Vancouver, British Columbia, Canada"),
            ("London, UK", "London, England, United Kingdom"),
            ("'s-Gravenhage", "The Hague, South Holland, The Netherlands"),
        ] {
            #expect(gazetteer.find(text, limit: 1).first?.place.label == label, "\(text)")
        }
        let house = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        #expect(gazetteer.surroundings(of: house)?.town.name == "Sydney")
        #expect(gazetteer.zone(at: house) == "Australia/Sydney")
    }
}
