// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy
import WaymarkJSON

/// Reads the name of a town where a position is expected.
enum PlaceWords {
    private static let mostCandidates = 8
    /// The ratio of populations from which a name without further words can only mean the larger of two towns.
    private static let namesake = 10

    /// Whether a text that is no position may name a place. Texts of positions have no word of three letters.
    static func isPlace(_ text: String) -> Bool {
        text.split { !$0.isLetter }.contains { $0.count >= 3 } && !text.lowercased().hasPrefix("geo:")
    }

    /// Returns the position of the place that a text names, and prints which place was chosen. If several places have
    /// the name, asks the person on a terminal.
    ///
    /// - Throws: ``Failure`` if no place has the name, or if several have it and there is nobody to ask.
    static func coordinate(_ text: String, _ output: Output, _ surroundings: Surroundings = .current)
        throws(Failure) -> Coordinate
    {
        let found = try surroundings.gazetteer().find(text, limit: mostCandidates)
        guard let first = found.first else { throw notFound(text) }
        let place = isClear(found) ? first.place : try choice(of: found, text, surroundings)
        output.notice(
            "place",
            "\"\(text)\" is taken as \(place.label) at \(Figures.position(place.coordinate)). \(Gazetteer.attribution)"
        ) {
            $0.field("label", place.label)
            $0.position(place.coordinate)
        }
        return place.coordinate
    }

    static func notFound(_ text: String) -> Failure {
        Failure(
            .placeNotFound, "place_not_found",
            "No place has the name \"\(text.prefix(100))\": check the spelling, or leave out the region.")
    }

    private static func isClear(_ found: [PlaceMatch]) -> Bool {
        guard found[0].likeness == .exact else { return false }
        guard found.count > 1, found[1].likeness == .exact else { return true }
        return found[0].place.population >= namesake * max(found[1].place.population, 1)
    }

    private static func choice(of found: [PlaceMatch], _ text: String, _ surroundings: Surroundings)
        throws(Failure) -> Place
    {
        let labels = found.map { Escaping.visible("\($0.place.label) (\(Figures.position($0.place.coordinate)))") }
        let ask = try surroundings.ask.or(
            Failure(
                "ambiguous",
                "\"\(text.prefix(100))\" may be \(labels.joined(separator: "; ")): "
                    + "name the region, or give the position."))
        let lines = labels.enumerated().map { "  \($0 + 1)  \($1)\n" }.joined()
        let answer = ask("\(lines)Which place? [1-\(found.count), nothing to stop] ")?.filter { !$0.isWhitespace }
        guard let number = answer.flatMap({ Int($0) }), found.indices.contains(number - 1) else {
            throw Failure("not_confirmed", "Nothing was done.")
        }
        return found[number - 1].place
    }
}
