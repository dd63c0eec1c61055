// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@Suite("The table of kinds", .inShortTurn)
struct KnownKindTests {
    @Test("96 kinds, each in the form in which kinds are stored, each name and tag once")
    func table() throws {
        #expect(KnownKind.all.count == 96)
        #expect(Set(KnownKind.all.map(\.name)).count == 96)
        for kind in KnownKind.all {
            #expect(try LandmarkRules.kind(kind.name) == kind.name)
            #expect(!kind.synonyms.isEmpty && !kind.tags.isEmpty)
            for tag in kind.tags {
                #expect(tag.split(separator: "=").count == 2)
                #expect(KnownKind.of(tag: tag)?.name == kind.name, "\(tag)")
            }
        }
        #expect(KnownKind.of(tag: "amenity=fuel")?.label == "Gas station")
        #expect(KnownKind.of(tag: "amenity=atm")?.label == "ATM")
        #expect(KnownKind.of(tag: "natural=beach") == nil)
    }

    @Test(
        "found by the beginning of any word",
        arguments: [
            ("caf", ["cafe"]), ("petrol", ["gas_station"]), ("TRAM", ["light_rail_station"]),
            ("train st", ["train_station", "transit_station"]), ("gas_st", ["gas_station"]), ("book s", ["book_store"]),
            ("chemist", ["drugstore", "pharmacy"]), ("Café", ["cafe"]), ("hi-fi", ["electronics_store"]),
        ])
    func begins(text: String, names: [String]) {
        #expect(KindSearch.kinds(text).map(\.name) == names)
    }

    @Test(
        "then with one letter added, left out, changed or exchanged",
        arguments: [
            ("resstaurant", "restaurant"), ("restarant", "restaurant"), ("restourant", "restaurant"),
            ("retsaurant", "restaurant"), ("pharmcay", "pharmacy"), ("hospitl", "hospital"), ("ibrary", "library"),
        ])
    func corrected(text: String, name: String) {
        #expect(KindSearch.kinds(text).map(\.name) == [name])
    }

    @Test("whole beginnings come before corrected ones, both by label; two mistakes are too many")
    func order() {

        let names = KindSearch.kinds("park").map(\.name)
        #expect(names.prefix(4) == ["amusement_park", "park", "parking", "rv_park"])
        #expect(KindSearch.kinds("rstarant").isEmpty)
        #expect(KindSearch.kinds("czf").isEmpty)
        let all = KindSearch.kinds("").map(\.name)
        #expect(all.count == 96 && all.first == "accounting")
    }
}
