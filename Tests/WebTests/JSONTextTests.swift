// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing
import WaymarkJSON

@Suite("JSON, byte by byte", .inShortTurn)
struct JSONTextTests {
    private func value(_ body: (inout JSONWriter) -> Void) -> Substring {
        String(
            decoding: JSONWriter.line { writer in
                writer.key("k")
                body(&writer)
            }, as: UTF8.self
        ).dropFirst(5).dropLast(2)
    }

    @Test("every scalar stays as it is, or is escaped if JSON forbids it or a terminal acts on it")
    func scalars() {
        let short: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"]
        var (all, expected) = (String.UnicodeScalarView(), "")
        for scalar in (0...0x10_ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            all.append(scalar)
            if let escaped = short[scalar] {
                expected += escaped
            } else if Escaping.isDangerous(scalar) {
                let digits = String(scalar.value, radix: 16)
                expected += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            } else {
                expected.unicodeScalars.append(scalar)
            }
        }
        let text = String(all)
        // Not `#expect` of the texts themselves: it would print a megabyte.
        let isSame = Array(value { $0.value(text) }.utf8) == Array("\"\(expected)\"".utf8)
        #expect(isSame)
    }

    @Test("what is escaped stands right at the beginning, in the middle and at the end")
    func places() {
        #expect(value { $0.value("\"a\u{85}é\u{2028}€\u{a0}\\") } == #""\"a\u0085é\u2028€\#u{a0}\\""#)
        #expect(value { $0.value("\u{2029}") } == #""\u2029""#)
        #expect(value { $0.value("") } == "\"\"")
    }

    @Test(
        "whole numbers, ids and times are those of their descriptions",
        arguments: [
            0, 9, 10, 99, 1_234_567_890, 1 << 53, .max - 1, .max,
        ] as [UInt64])
    func numbers(_ number: UInt64) {
        #expect(value { $0.value(number) } == String(number))
        let id = UUIDv7(high: number &* 0x9e37_79b9_7f4a_7c15, low: ~number)
        #expect(value { $0.value(id) } == "\"\(id)\"")
        #expect(value { $0.value(time: number) } == "\"\(Timestamp.rfc3339(number))\"")
    }

    @Test("a time has two digits for each part, three for milliseconds and at least four for the year")
    func times() {
        #expect(Timestamp.rfc3339(0) == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp.rfc3339(1_772_357_400_007) == "2026-03-01T09:30:00.007Z")
        #expect(Timestamp.rfc3339(253_402_300_800_000) == "10000-01-01T00:00:00.000Z")
        #expect(Timestamp.rfc3339(.max) == "584556019-04-03T14:25:51.615Z")
    }
}
