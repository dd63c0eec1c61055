// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension LoadWorld {
    /// The direction of a vector with these components, in degrees clockwise from north.
    static func degrees(_ east: Double, _ north: Double) -> Double { atan2(east, north) * 180 / .pi }

    /// The arc sine in degrees.
    static func arcsine(_ value: Double) -> Double { asin(value) * 180 / .pi }
}
