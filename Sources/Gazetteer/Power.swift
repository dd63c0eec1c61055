// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The C library's powers and logarithms, imported in one place.
enum Power {
    static func of(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func of2(_ exponent: Double) -> Double { exp2(exponent) }
    static func log10(_ value: Double) -> Double { Glibc.log10(value) }
    static func log2(_ value: Double) -> Double { Glibc.log2(value) }
    static func arcsine(_ value: Double) -> Double { asin(value) }
    static func sine(degrees: Double) -> Double { sin(degrees * .pi / 180) }
    static func cosine(degrees: Double) -> Double { cos(degrees * .pi / 180) }
}
