// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkJSON

/// Allows a position to begin with a minus sign, and to consist of two arguments.
///
/// The argument parser reads every argument with a leading dash as an option. A space in front prevents that; the code
/// that reads the value removes the space.
enum PositionArguments {
    /// The options whose values are positions.
    private static let options: Set<String> = ["--near", "--at", "--around"]
    private static let marks = Set(" \t.,;:+-°'\"0123456789eEnNsSwW")

    /// Returns the arguments with a space in front of each one that looks like a negative position: it begins with a
    /// minus sign and a digit, and has only characters of positions, as in `-33.8568,151.2153` or the area
    /// `-34,151,-33,152`, even if a number is missing. After an option for a position, two arguments are joined into
    /// one. Arguments after `--` stay unchanged, because they are never read as options.
    static func protected(_ arguments: [String]) -> [String] {
        var rest = arguments[..<(arguments.firstIndex(of: "--") ?? arguments.endIndex)]
        let end = arguments[rest.endIndex...]
        var result: [String] = []
        while let argument = rest.popFirst() {
            result.append(protected(argument))
            let halves = rest.prefix(2)
            guard options.contains(argument), halves.count == 2, halves.allSatisfy(PositionText.isHalf) else {
                continue
            }
            result.append(protected(halves.joined(separator: ",")))
            rest = rest.dropFirst(2)
        }
        return result + end
    }

    /// Removes from a message the spaces that ``protected(_:)`` put in front of words which the message quotes.
    static func restored(_ message: String) -> String {
        message.replacing("' -", with: "'-")
    }

    /// Returns the word as the person typed it.
    static func plain(_ word: String) -> String { word.hasPrefix(" -") ? String(word.dropFirst()) : word }

    private static func protected(_ argument: String) -> String {
        guard argument.first == "-", let next = argument.dropFirst().first, "0123456789.".contains(next),
            PositionText.plain(argument).allSatisfy({ marks.contains($0) || $0.isWhitespace })
        else { return argument }
        return " " + argument
    }
}

/// Reads places that consist of one argument or two.
enum PlaceArguments {
    /// Reads two places, each of which is the id of a landmark, a position, or a town in one argument.
    ///
    /// - Throws: ``BadValue`` if the words are not two places.
    static func places(_ words: [String]) throws -> (Place, Place) {
        for index in words.indices.dropFirst() {
            if let from = try? place(words[..<index]), let to = try? place(words[index...]) { return (from, to) }
        }
        guard words.count > 1 else { throw BadValue("A distance is between two places: give the second one too.") }
        // One of the two places is wrong: reading them one by one throws the error that says why.
        return (try place(words.prefix(words.count / 2)), try place(words.suffix(words.count - words.count / 2)))
    }

    private static func place(_ words: ArraySlice<String>) throws -> Place {
        if words.count == 1, let word = words.first, let reference = LandmarkReference(id: word) {
            return .landmark(reference)
        }
        let location = try Location(words: Array(words))
        if case .town(let name) = location, words.count > 1 {
            throw BadValue("'\(Escaping.visible(name))' has several words: put the name of a town into quotes.")
        }
        return .location(location)
    }

    enum Place: Hashable, Sendable {
        case landmark(LandmarkReference)
        case location(Location)
    }
}
