// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkJSON

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("JSON for programs", .inShortTurn)
struct CLIJSONTests {
    @Test func textsComeBackAsTheyWere() throws {
        let all = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
        for text in ["", "plain", "\"\\/\u{8}\u{c}\n\r\t\0", "\u{1b}[31m\u{9b}\u{202e}\u{2028}", "é東🇦🇺\u{10ffff}", all] {
            let line = JSONWriter.line { $0.field("text", text) }
            #expect(try object(line)["text"] as? String == text)
            #expect(line.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7f })
        }
    }

    @Test func numbersComeBackAsTheyWere() throws {
        for number in [
            0, -0.0, 1, -33.8568, 0.1 + 0.2, 444.9843104851915, 1e16, 1e-7, 1e300, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
        ] {
            let line = JSONWriter.line { $0.field("number", number) }
            // Foundation's own parser is sometimes off by a bit, so it only has to find a number there.
            #expect(try object(line)["number"] is NSNumber)
            #expect(Double(String(decoding: line, as: UTF8.self).dropFirst(10).dropLast(2)) == number)
        }
        #expect(text { $0.field("number", Double.nan) } == "{\"number\":null}\n")
        #expect(text { $0.field("number", -Double.infinity) } == "{\"number\":null}\n")
        #expect(text { $0.field("number", UInt64(1) << 53) } == "{\"number\":9007199254740992}\n")
    }

    @Test func nesting() {
        let line = text { writer in
            writer.key("a")
            writer.array([1, 2] as [UInt64]) { $0.value($1) }
            writer.key("b")
            writer.object { _ in }
            writer.field("c", true)
            writer.field("d", nil as String?)
        }
        #expect(line == "{\"a\":[1,2],\"b\":{},\"c\":true,\"d\":null}\n")
    }

    @Test func keysOfALandmark() throws {
        let hit = Hit(landmark: try exampleLandmark(), distance: 1.5, bearing: 213)
        #expect(
            text { $0.fields(hit, isMeasured: true) } == """
                {"id":"01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5","name":"Bondi \\"Icebergs\\"","lat":-33.8951,"lng":151.2745,\
                "kind":"pool","link":"https://example.com","user":"ann","source":{"name":"pools","key":"7"},"rating":4.5,\
                "ratings":null,"address":null,"phone":null,"opening_hours":null,"notes":[{"id":"01933c6e-7f3a-7c22-9b0e-2f6d8a41c7e6","text":"Cold.\\nSalt.","user":"ben",\
                "at":"2026-03-01T09:30:00.000Z"}],"version":3,"rev":42,"created":"2026-03-01T09:30:00.000Z",\
                "updated":"2026-03-01T09:30:00.123Z","distance_m":1.5,"bearing_deg":213.0}

                """)
    }

    @Test func whatIsAbsentIsNull() throws {
        let bare = Landmark(
            id: UUIDv7(high: 1, low: 2), name: "x", coordinate: try Coordinate(latitude: 0, longitude: 0))
        let fields = try object(JSONWriter.line { $0.fields(bare) })
        for key in ["kind", "link", "user", "source", "rating", "ratings", "address", "phone"] {
            #expect(fields[key] is NSNull)
        }
        #expect((fields["notes"] as? [Any])?.isEmpty == true)
    }

    @Test func keysOfAChange() throws {
        let landmark = try exampleLandmark()
        let change = Change(rev: 42, at: 0, operation: .added, user: "ann", landmark: landmark, before: nil)
        let position = Position(epoch: UUIDv7(high: 1, low: 2), rev: 42, run: UUIDv7(high: 3, low: 4))
        let line = text { $0.fields(FeedChange(change, as: .entered, at: position)) }
        #expect(
            line.hasPrefix(
                "{\"type\":\"change\",\"epoch\":\"00000000-0000-0001-0000-000000000002\",\"rev\":42,"
                    + "\"at\":\"1970-01-01T00:00:00.000Z\",\"op\":\"entered\",\"landmark\":{\"id\":"))
        #expect(
            line.hasSuffix("},\"before\":null,\"user\":\"ann\",\"run\":\"00000000-0000-0003-0000-000000000004\"}\n"))
        let first = text { $0.fields(landmark, asOf: Position(epoch: UUIDv7(high: 1, low: 2), rev: 50)) }
        #expect(
            first.hasPrefix(
                "{\"type\":\"landmark\",\"epoch\":\"00000000-0000-0001-0000-000000000002\",\"rev\":50,"
                    + "\"at\":\"2026-03-01T09:30:00.123Z\",\"op\":\"init\",\"landmark\":{\"id\":"))
        #expect(first.hasSuffix("},\"before\":null,\"user\":\"ann\",\"run\":null}\n"))
    }

    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        String(decoding: JSONWriter.line(body), as: UTF8.self)
    }

    private func object(_ line: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
}
