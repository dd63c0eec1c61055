// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkProtocol

@Suite("Texts on the wire", .computing)
struct WireTextTests {
    @Test(
        "are what the standard library says, wherever a byte beyond ASCII stands",
        arguments: ["", "a", "Circular Quay", "Žofie", "12345678", "1234567é", "12345678é", "小林", "a\u{0}b"])
    func texts(text: String) {
        var copy = text
        copy.withUTF8 { bytes in
            #expect(WireText.string(UnsafeRawBufferPointer(bytes)) == text)
            #expect(WireText.isASCII(UnsafeRawBufferPointer(bytes)) == bytes.allSatisfy { $0 < 0x80 })
        }
    }

    @Test("what is no UTF-8 is none", arguments: [[0xff], [0x41, 0xc3], Array(repeating: 0x41, count: 9) + [0x80]])
    func broken(bytes: [UInt8]) {
        bytes.withUnsafeBytes { #expect(WireText.string($0) == nil) }
    }
}
