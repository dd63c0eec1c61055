// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The unit of distances that people see. Programs always get metres.
enum DistanceUnit: String, CaseIterable, ExpressibleByArgument, Sendable {
    case m, km, mi, ft

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// Formats a distance with about the precision of a millimetre.
    func text(_ metres: Double) -> String {
        switch self {
        case .m: Figures.fixed(metres, 3) + " m"
        case .km: Figures.fixed(metres / 1_000, 3) + " km"
        case .mi: Figures.fixed(metres / 1_609.344, 3) + " mi"
        case .ft: Figures.fixed(metres / 0.3048, 1) + " ft"
        }
    }
}

struct UnitOptions: ParsableArguments {
    @Option(
        word: "unit",
        "The unit of distances in text output. (WAYMARK_UNITS; default: your preference, else m, and km from 10 km on)"
    )
    var units: DistanceUnit?

    /// Returns the unit from the option or the preferences; nil if it depends on each distance.
    func unit(_ surroundings: Surroundings = .current) throws(Failure) -> DistanceUnit? {
        if let units { return units }
        guard let text = surroundings.variable("WAYMARK_UNITS") else {
            return Preferences(environment: surroundings.environment).units
        }
        return try DistanceUnit(rawValue: text).or(.usage("WAYMARK_UNITS must be one of \(DistanceUnit.names)."))
    }
}
