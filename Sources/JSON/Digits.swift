// SPDX-License-Identifier: Apache-2.0

/// Writes numbers as ASCII digits, without making a `String`.
enum Digits {
    /// Appends the digits of a number.
    ///
    /// - Parameter width: the minimum number of digits. Shorter numbers are filled up with zeros.
    static func append(_ number: UInt64, width: Int = 1, to bytes: inout [UInt8]) {
        let begin = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || bytes.count - begin < width
        bytes[begin...].reverse()
    }
}
