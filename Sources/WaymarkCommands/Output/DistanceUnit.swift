// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// In what people are told distances. Programs are always told metres.
enum DistanceUnit: String, CaseIterable, ExpressibleByArgument, Sendable {
    case m, km, mi, ft

    /// To the millimetre, or about that.
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
        help: ArgumentHelp(
            "In what distances are printed as text. (WAYMARK_UNITS; default: m, and km from 10 km on)",
            valueName: "unit"))
    var units: DistanceUnit?

    /// Nil: as it suits the distance.
    func unit(_ surroundings: Surroundings = .current) throws(Failure) -> DistanceUnit? {
        if let units { return units }
        guard let text = surroundings.variable("WAYMARK_UNITS") else { return nil }
        guard let unit = DistanceUnit(rawValue: text) else {
            throw .usage(
                "WAYMARK_UNITS cannot be used: it is \(DistanceUnit.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return unit
    }
}
