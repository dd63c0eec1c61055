// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// Converts a cursor to a text that needs no quotes in a shell: base64url (RFC 4648, 5) without padding.
package enum CursorText {
    package static func encode(_ cursor: Data) -> String {
        // The bytes are =, which is left out, + and -, / and _.
        let text = cursor.base64EncodedData().compactMap { byte -> UInt8? in
            byte == 0x3d ? nil : byte == 0x2b ? 0x2d : byte == 0x2f ? 0x5f : byte
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func decode(_ text: String) -> Data? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        guard !text.isEmpty, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }
}
