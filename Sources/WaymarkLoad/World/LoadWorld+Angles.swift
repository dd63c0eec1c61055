// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension LoadWorld {
    /// Of a vector that points so far east and north: degrees clockwise from north.
    static func degrees(_ east: Double, _ north: Double) -> Double { atan2(east, north) * 180 / .pi }

    /// In degrees.
    static func arcsine(_ value: Double) -> Double { asin(value) * 180 / .pi }
}
