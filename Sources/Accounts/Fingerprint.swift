// SPDX-License-Identifier: Apache-2.0

import Support
public import ZeroMQ

/// What people compare instead of a key: the first 16 bytes of its SHA-256, in groups of four hexadecimal digits.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ publicKey: CurveKey) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (place, byte) in SHA256.hash(publicKey.bytes.span.bytes).prefix(16).enumerated() {
            if place > 0, place % 2 == 0 { text.append(UInt8(ascii: ":")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        description = String(decoding: text, as: UTF8.self)
    }
}
