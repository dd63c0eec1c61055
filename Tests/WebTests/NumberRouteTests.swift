// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import HTTPTypes
import Landmarks
import Support
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Web

@Suite("Requests over HTTP with extreme numbers", .inTurn)
struct NumberRouteTests {
    private static let words: [UInt64] = [0, 1, 1 << 32, 1 << 53, 1 << 62, 1 << 63 - 1, 1 << 63, .max - 1, .max]
    private static let numbers =
        words.map { "\($0)" } + [
            "-1", "\(Int64.min)", "nan", "inf", "-inf", "1e308", "5e-324", "90.00000000000001", "-180.00000000000003",
            "1e\(Int64.max)", "1e\(Int64.min)", "\(Double(UInt64.max))", "9999-12-31T23:59:59.999Z",
            "1970-01-01T00:00:00Z",
        ]

    /// Cursors as an answer gives them, with an extreme number in the place of each number.
    private static func cursors() throws -> [String] {
        let (id, moment) = (UUIDv7(high: 1, low: 1), UInt64(1_795_388_400_000))
        let ends: [Cursor] = [
            .place(try Coordinate(latitude: 1, longitude: 2), id), .recent(5), .name("a", id), .prominence(3, 4, id),
        ]
        return (ends + ends.map { .at(moment, $0) }).flatMap { end in
            let bytes = end.bytes
            return [0, 1 << 63, .max, Double.nan.bitPattern].flatMap { word in
                // The number after the kind, that after the kind of the end in a cursor with a moment, and the next one.
                [1, 9, 10].filter { $0 + 8 <= bytes.count }.map { place in
                    var changed = bytes
                    for byte in 0..<8 {
                        changed[place + byte] = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * byte))
                    }
                    return Data(changed).base64URL
                }
            }
        }
    }

    /// What makes the rest of a question valid.
    private static let usual = [
        "lat": "1", "lng": "2", "from": "USD", "amount": "1", "q": "kiosk", "id": "\(UUIDv7(high: 1, low: 1))",
    ]

    /// Each parameter of each route with each value, beside usual ones for those that are needed.
    private static func questions() throws -> [(path: String, headers: [String: String])] {
        let cursors = try cursors()
        return WebRouter.routes.filter { $0.method == .get && $0.template != "/v1/changes" }.flatMap { route in
            let all = route.allParameters
            return all.flatMap { chosen in
                (chosen.name == "cursor" ? cursors : numbers).flatMap { value in
                    // The hours of a page are read only if it asks for them.
                    (chosen.name == "cursor" ? ["", "&open=now"] : [""]).map { more in
                        var (path, query, headers) = (route.template, "", [String: String]())
                        for one in all where one.isRequired || one.name == chosen.name {
                            let text = one.name == chosen.name ? value : usual[one.name] ?? "1"
                            switch one.place {
                            case .path: path = path.replacing("{\(one.name)}", with: text)
                            case .query: query += "&\(one.name)=\(text)"
                            case .header: headers[one.name] = text
                            }
                        }
                        return ("\(path)?\((query + more).dropFirst())", headers)
                    }
                }
            }
        }
    }

    @Test("every parameter of every route is answered with each of them, and the service goes on")
    func routes() async throws {
        try await withStage { stage, client in
            var draft = try LandmarkDraft(name: "kiosk", coordinate: try Coordinate(latitude: 1, longitude: 2))
            try draft.attributes.set(.openingHours, to: "Mo-Su 00:00-23:59")
            _ = try await client.add(draft)
            for (path, headers) in try Self.questions() {
                // As GET, but a tile is no text.
                let answer = try await stage.ask("HEAD", path, headers: headers)
                #expect(answer.status != 500, "\(path) \(headers)")
            }
            #expect(try await client.list(.byName, limit: 1).hits.count == 1)
        }
    }
}
