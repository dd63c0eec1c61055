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
        let times = [number, number, number / 2, number].map { "\"\(Timestamp.rfc3339($0))\"" }.joined(separator: ",")
        #expect(value { $0.array([number, number, number / 2, number]) { $0.value(time: $1) } } == "[\(times)]")
    }

    @Test("a number with few decimals has the digits of its description, and so has its neighbour")
    func decimals() {
        var (number, isSame) = (SystemRandomNumberGenerator(), true)
        for round in 0..<20_000 {
            let scale = [1, 10, 1e3, 1e6, 1e7, 1e8, 1e9, 1e12][round % 8]
            let decimal = Double(Int64.random(in: -(1 << (4 + Int64(round % 56)))...(1 << 40), using: &number)) / scale
            for one in [decimal, decimal.nextUp, -decimal] where value({ $0.value(one) }) != one.description {
                isSame = false
                print(one)
            }
        }
        #expect(isSame)
        let edges = [0, -0.0, 0.001, -0.0005, 1e-4, 1e-5, 99_999_999.9999999, 1e8, 1e16, 2e-308]
        for one in edges + [.greatestFiniteMagnitude] {
            #expect(value { $0.value(one) } == one.description)
        }
        #expect(value { $0.array([.nan, .infinity]) { $0.value($1 as Double) } } == "[null,null]")
    }

    @Test("a text of any length is escaped wherever the character stands, and a long one has room")
    func lengths() {
        for length in 0..<40 {
            for place in 0..<max(1, length) {
                for odd in ["\"", "\\", "\u{1f}", "\u{7f}", "\u{9f}", "ä", "\u{20}"] {
                    let head = String(repeating: "~", count: place)
                    let tail = String(repeating: "]", count: length - place)
                    let inner = odd == "ä" || odd == " " ? odd : String(value { $0.value(odd) }.dropFirst().dropLast())
                    #expect(value { $0.value(head + odd + tail) } == "\"\(head)\(inner)\(tail)\"")
                }
            }
        }
        let long = String(repeating: "x", count: 70_000)
        #expect(value { $0.array([long, "\n", long]) { $0.value($1) } } == "[\"\(long)\",\"\\n\",\"\(long)\"]")
    }

    @Test("a time has two digits for each part, three for milliseconds and at least four for the year")
    func times() {
        #expect(Timestamp.rfc3339(0) == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp.rfc3339(1_772_357_400_007) == "2026-03-01T09:30:00.007Z")
        #expect(Timestamp.rfc3339(253_402_300_800_000) == "10000-01-01T00:00:00.000Z")
        #expect(Timestamp.rfc3339(.max) == "584556019-04-03T14:25:51.615Z")
    }
}
