// SPDX-License-Identifier: Apache-2.0

extension Sequence where Element == UInt8 {
    /// The bytes as two lower-case digits each.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
