// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Decodes percent-encoding (RFC 3986); nil if a percent sign is not followed by two hexadecimal digits, or if the
    /// bytes are not UTF-8.
    package init?(percentEncoded text: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(Self.digit), let low = rest.next().flatMap(Self.digit) else {
                return nil
            }
            bytes.append(UInt8(high << 4 | low))
        }
        self.init(validating: bytes, as: UTF8.self)
    }

    /// The text with all characters percent-encoded except the unreserved characters of RFC 3986, 2.3.
    package var percentEncoded: String {
        utf8.map { byte -> String in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: String(UnicodeScalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    private static func digit(_ byte: UInt8) -> Int? { Character(Unicode.Scalar(byte)).hexDigitValue }
}
