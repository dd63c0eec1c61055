// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkJSON

/// A place as a person types it: a position, or the name of a town. All options and arguments for positions accept
/// both.
enum Location: Hashable, Sendable, CustomDebugStringConvertible {
    case point(Coordinate)
    /// The name of a town. Its position is looked up when the command runs.
    case town(String)

    /// The accepted forms, at the end of the help text of every option and argument for a location.
    static let forms = "latitude and longitude in degrees, or the name of a town"

    init(_ text: String) throws(BadValue) {
        do throws(PositionTextError) {
            self = .point(try PositionText.coordinate(text))
        } catch {
            guard error == .malformed, PlaceWords.isPlace(text) else { throw BadValue(error.description) }
            self = .town(text)
        }
    }

    /// Reads several arguments as one location: `-33.8568 151.2153`.
    ///
    /// - Throws: an error that quotes the words.
    init(words: [String]) throws(BadValue) {
        let words = words.map(PositionArguments.plain)
        let isPair = words.count == 2 && words.allSatisfy(PositionText.isHalf)
        do throws(BadValue) {
            self = try Location(words.joined(separator: isPair ? "," : " "))
        } catch {
            let typed = Escaping.visible(String(words.joined(separator: " ").prefix(200)))
            throw BadValue("'\(typed)' is no position: \(error)")
        }
    }

    /// Returns the position. If a town was named, prints which town was chosen. If several towns have the name, asks
    /// the person on a terminal.
    ///
    /// - Throws: ``Failure`` if no town has the name, or if several have it and there is nobody to ask.
    func coordinate(_ output: Output) throws(Failure) -> Coordinate {
        switch self {
        case .point(let coordinate): coordinate
        case .town(let name): try PlaceWords.coordinate(name, output)
        }
    }

    /// The location as it is written in a report of `bench mix`.
    var debugDescription: String {
        switch self {
        case .point(let coordinate): String(reflecting: coordinate)
        case .town(let name): String(reflecting: name)
        }
    }
}
