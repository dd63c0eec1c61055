// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// Converts a cursor to a text that needs no quotes in a shell: base64url (RFC 4648, 5) without padding.
package enum CursorText {
    package static func encode(_ cursor: Data) -> String {
        let base64 = [UInt8](cursor.base64EncodedData()).prefix { $0 != UInt8(ascii: "=") }
        let text = base64.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func decode(_ text: String) -> Data? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        guard !text.isEmpty, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }
}
