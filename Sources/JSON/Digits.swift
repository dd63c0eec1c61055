// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// Numbers as ASCII, without a `String` in between.
enum Digits {
    /// - Parameter width: the least number of digits; zeros fill it up.
    static func append(_ number: UInt64, width: Int = 1, to bytes: inout [UInt8]) {
        let begin = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || bytes.count - begin < width
        bytes[begin...].reverse()
    }

    /// The canonical form of an id.
    static func append(_ id: UUIDv7, to bytes: inout [UInt8]) {
        append(id.high, hyphensAfter: (8, 12), to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(id.low, hyphensAfter: (4, 16), to: &bytes)
    }

    private static func append(_ word: UInt64, hyphensAfter places: (Int, Int), to bytes: inout [UInt8]) {
        for place in 0..<16 {
            if place == places.0 || place == places.1 { bytes.append(UInt8(ascii: "-")) }
            bytes.append(hexadecimal(UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * place)) & 15))
        }
    }

    /// - Parameter value: 0 to 15.
    static func hexadecimal(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
