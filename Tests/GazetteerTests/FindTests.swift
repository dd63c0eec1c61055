// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import TestTurns
import Testing

@Suite(.inShortTurn)
struct FindTests {
    private func labels(_ text: String, limit: Int = 10, focus: Coordinate? = nil) throws -> [String] {
        try SmallGazetteer.make().find(text, limit: limit, focus: focus).map(\.place.label)
    }

    @Test(
        "The first place a text means",
        arguments: [
            ("Sydney", "Sydney, New South Wales, Australia"),
            ("sydney nsw", "Sydney, New South Wales, Australia"),
            ("SYDNEY, New South Wales, Australia", "Sydney, New South Wales, Australia"),
            ("sidney", "Sydney, New South Wales, Australia"),
            ("Patiala, Punjab", "Patiāla, Punjab, India"),
            ("patiala punjab pakistan", "Patiāla, Punjab, Pakistan"),
            ("Patiala, PAK", "Patiāla, Punjab, Pakistan"),
            ("Springfield", "Springfield, Missouri, United States"),
            ("springfield il", "Springfield, Illinois, United States"),
            ("Springfield, Illinois, USA", "Springfield, Illinois, United States"),
            ("breslau", "Wrocław, Lower Silesia, Poland"),
            ("wroclaw polska", "Wrocław, Lower Silesia, Poland"),
            ("WROCŁAW", "Wrocław, Lower Silesia, Poland"),
            ("Goeppingen", "Göppingen, Germany"),
            ("goppingen", "Göppingen, Germany"),
            ("Sankt Augustin", "Saint Augustin, Germany"),
            ("St. Augustin", "Saint Augustin, Germany"),
            ("Milsons Point, Sydney", "Milsons Point, New South Wales, Australia"),
            ("Milson's Point", "Milsons Point, New South Wales, Australia"),
            // Names that begin with a small letter or an apostrophe.
            ("den haag", "The Hague, The Netherlands"), ("'t Haantje", "The Hague, The Netherlands"),
            // One mistake: too many, missing, wrong, turned round.
            ("Syddney", "Sydney, New South Wales, Australia"),
            ("Sydny", "Sydney, New South Wales, Australia"),
            ("Sydnex", "Sydney, New South Wales, Australia"),
            ("Syndey", "Sydney, New South Wales, Australia"),
            ("ysdney", "Sydney, New South Wales, Australia"),
            ("Patialla, Punjab, India", "Patiāla, Punjab, India"),
            // Beginnings.
            ("Melb", "Melbourne, Victoria, Australia"),
            ("melbourne, vic", "Melbourne, Victoria, Australia"),
            ("Melbourne, Flor", "Melbourne, Florida, United States"),
        ])
    func first(text: String, label: String) throws {
        #expect(try labels(text).first == label)
    }

    @Test(
        "What is not there is not found",
        arguments: [
            "", " ", ",", "Sydney, Poland", "Syyddney", "Nowhere", "sidani", "haaga", "SYD, Poland", "Springfield, NSW",
            "qqqqqq",
            String(repeating: "s", count: 201), String(repeating: "a ", count: 90), "日本", "\u{0}\u{301}",
            "Milsons Point, Melbourne",
        ])
    func nothing(text: String) throws {
        #expect(try labels(text).isEmpty)
    }

    @Test("Likeness goes before population, and the limit holds")
    func order() throws {
        let gazetteer = try SmallGazetteer.make()
        let found = gazetteer.find("Melbourne")
        #expect(found.map(\.likeness) == [.exact, .exact])
        #expect(found.map(\.place.countryCode) == ["AU", "US"])
        #expect(gazetteer.find("Melbourne", limit: 1).count == 1)
        #expect(gazetteer.find("Melbourne", limit: 0).isEmpty)
        #expect(gazetteer.find("S").map(\.place.name) == ["Sydney", "Springfield", "Springfield", "Saint Augustin"])
        #expect(gazetteer.find("Melbourn").allSatisfy { $0.likeness == .prefix })
        #expect(gazetteer.find("Melbuorne").allSatisfy { $0.likeness == .typo })
    }

    @Test("Near the focus a smaller town comes first, but not far from it")
    func focus() throws {
        let near = try Coordinate(latitude: 28, longitude: -80.7)
        #expect(try labels("Melbourne", focus: near).first == "Melbourne, Florida, United States")
        #expect(try labels("Melb", focus: near).first == "Melbourne, Florida, United States")
        let far = try Coordinate(latitude: 25, longitude: -80.7)
        #expect(try labels("Melbourne", focus: far).first == "Melbourne, Victoria, Australia")
    }

    @Test("A place has its facts")
    func facts() throws {
        let place = try #require(try SmallGazetteer.make().find("Patiala").first?.place)
        #expect(place.name == "Patiāla")
        #expect(place.zone == "Asia/Kolkata")
        #expect(abs(place.population - 446_246) < 500)
        let source = try Coordinate(latitude: 30.33625, longitude: 76.3922)
        #expect(Geodesic.distance(from: place.coordinate, to: source) < 3)
    }
}
