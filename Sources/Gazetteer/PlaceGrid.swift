// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Glibc

/// The stored form of positions: 24 bits for each angle. Positions are grouped in rows of similar latitude.
package enum PlaceGrid {
    static let steps = 1 << 24
    /// The number of low bits of latitude within a row. 2^14 steps of latitude are 0.176 degrees, or 19.5 km.
    static let rowBits = 14
    /// The minimum length of a degree of latitude, in km.
    static let kilometresPerDegree = 110.57

    package static func latitude(_ degrees: Double) -> Int { step((degrees + 90) / 180) }
    package static func longitude(_ degrees: Double) -> Int { step((degrees + 180) / 360) }

    /// Returns the latitude of a step, in degrees.
    static func latitude(at step: Int) -> Double { (Double(step) + 0.5) * 180 / Double(steps) - 90 }

    static func coordinate(_ latitude: Int, _ longitude: Int) -> Coordinate? {
        try? Coordinate(
            latitude: rounded(Self.latitude(at: latitude)),
            longitude: rounded((Double(longitude) + 0.5) * 360 / Double(steps) - 180))
    }

    /// Returns the angle without the digits that 24 bits cannot determine, because these would seem exact.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }

    /// Returns the number by which places are sorted in a file: by row, and within a row by longitude.
    package static func order(_ latitude: Int, _ longitude: Int) -> Int { (latitude >> rowBits) << 24 | longitude }

    private static func step(_ share: Double) -> Int { min(max(Int(share * Double(steps)), 0), steps - 1) }
}

/// The stored form of populations: a logarithm in two bytes, accurate to 0.04 per cent.
package enum PopulationCode {
    private static let scale = 2_000.0

    package static func code(_ population: Int) -> Int {
        min(Int((log2(Double(max(population, 0)) + 1) * scale).rounded()), 0xffff)
    }

    /// Returns the decimal logarithm of the population, but at least 1.
    @inline(__always)
    static func weight(_ code: Int) -> Double { max(Double(code) * (0.30103 / scale), 1) }

    static func population(_ code: Int) -> Int { Int((exp2(Double(code) / scale) - 1).rounded()) }
}
