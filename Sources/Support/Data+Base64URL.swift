// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

extension Data {
    /// The bytes as a text that needs no quotes in a shell and in an address: base64url (RFC 4648, 5) without padding.
    package var base64URL: String {
        // The bytes are =, which is left out, + and -, / and _.
        let text = base64EncodedData().compactMap { byte -> UInt8? in
            byte == 0x3d ? nil : byte == 0x2b ? 0x2d : byte == 0x2f ? 0x5f : byte
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads ``base64URL``; nil for an empty text, and for one in another alphabet. Spare bits of the last character
    /// are not checked.
    package init?(base64URL text: String) {
        guard !text.isEmpty, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }
}
