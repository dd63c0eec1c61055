// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkProtocol

/// A setting that a person can keep; the set is closed. Each value is kept as text, in the form that the option of the
/// same name accepts.
enum Preference: String, CaseIterable, Sendable {
    case name, units, limit, rank, radius, kinds

    /// The name of the preference's member in the file. The preference `name` is kept as `user`.
    var member: String { self == .name ? "user" : rawValue }

    /// The explanation of the preference, and what applies if it is not set.
    var about: (help: String, standard: String) {
        switch self {
        case .name: ("Your name, which signs what you add and write.", "none")
        case .units: ("The unit of distances: \(DistanceUnit.names).", "m, and km from 10 km on")
        case .limit: ("How many landmarks near, list and search print.", "20, and 100 for list")
        case .rank: ("The order of near: distance, or prominence within the radius.", "distance")
        case .radius: ("The radius of prominence, up to 48280m.", "none")
        case .kinds: ("The kinds that are offered first, with commas between them.", "none")
        }
    }

    /// - Returns: the text to keep.
    /// - Throws: the reason why the text is no valid value, in one sentence.
    func checked(_ text: String) throws -> String {
        switch self {
        case .name: return try LandmarkRules.user(text)
        case .units: return try DistanceUnit(rawValue: text).orBad("units is one of \(DistanceUnit.names).").rawValue
        case .limit:
            return String(try Int(text).within(1...1_000).orBad("limit is a whole number from 1 to 1000."))
        case .rank: return try NearRank(rawValue: text).orBad("rank is distance or prominence.").rawValue
        case .radius:
            guard let radius = try? Values.distance(text), radius > 0, radius <= WaymarkProtocol.prominenceMetres else {
                throw BadValue("radius is a distance of up to 48280m, such as 800m or 5km.")
            }
            return text
        case .kinds:
            let kinds = try text.split(separator: ",").map { try LandmarkRules.kind(String($0)) }.filter { !$0.isEmpty }
            guard !kinds.isEmpty, kinds.count <= 100 else {
                throw BadValue("kinds are up to 100 words with commas between them, such as cafe,beach.")
            }
            return kinds.joined(separator: ",")
        }
    }
}

extension Preferences {
    /// The preferred number of rows; nil if it is not set or the file cannot be read.
    var limit: Int? { (try? value(.limit)).flatMap(Int.init) }

    var units: DistanceUnit? { (try? value(.units)).flatMap(DistanceUnit.init(rawValue:)) }

    var rank: NearRank? { (try? value(.rank)).flatMap(NearRank.init(rawValue:)) }

    /// The preferred radius in metres; nil if it is not set or the file cannot be read.
    var radius: Double? { (try? value(.radius)).flatMap { try? Values.distance($0) } }

    /// The kinds that are offered first.
    var kinds: [String] { (try? value(.kinds))?.split(separator: ",").map(String.init) ?? [] }
}
