// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Landmarks
import TestSupport
import TestTurns
import TestWeb
import Testing
import WaymarkJSON
import WaymarkProtocol

@testable import Web

/// `WAYMARK_FUZZ=1000000` asks more often, once for each hundred.
@Suite("Requests over HTTP with extreme numbers", .inTurn, .timeLimit(.minutes(60)))
struct NumberRouteTests {
    private static let count = max(
        400, (ProcessInfo.processInfo.environment["WAYMARK_FUZZ"].flatMap { Int($0) } ?? 0) / 100)

    /// A value of a parameter: an extreme number, a cursor with one, or what is usual.
    private static func value(_ random: inout SplitMix64) -> String {
        switch random.next() % 8 {
        case 0: return "\(random.element(of: Extremes.words))"
        case 1: return "\(Int64(bitPattern: random.element(of: Extremes.words)))"
        case 2: return "\(random.element(of: Extremes.doubles))"
        case 3: return "1e\(Int64(bitPattern: random.element(of: Extremes.words)))"
        case 4:
            let id = UUIDv7(high: 1, low: 1)
            let ends: [Cursor] = [
                .recent(5), .name("a", id), .prominence(3, 4, id), .at(1_795_388_400_000, .recent(5)),
            ]
            var bytes = random.element(of: ends).bytes
            random.putExtreme(into: &bytes)
            return CursorText.encode(Data(bytes))
        case 5: return "\(UUIDv7(high: 1, low: 1))-\(random.element(of: Extremes.words))"
        case 6: return random.element(of: ["now", "9999-12-31T23:59:59Z", "USD", "true", "distance", "name", "recent"])
        default: return "\(random.next() % 10)"
        }
    }

    @Test("every route answers each of them, and the service goes on")
    func routes() async throws {
        try await withStage { stage, client in
            let routes = WebRouter.routes.filter { $0.method == .get && $0.template != "/v1/changes" }
            for seed in [1, .random(in: 2...UInt64.max)] as [UInt64] {
                print("fuzz HTTP, seed \(seed)")
                var random = SplitMix64(seed: seed)
                for number in 0..<Self.count {
                    let route = routes[number % routes.count]
                    let path = route.segments.map { $0.hasPrefix("{") ? Self.value(&random) : String($0) }
                    var headers: [String: String] = [:]
                    var query: [String] = []
                    for parameter in route.parameters where random.isOne(of: 2) {
                        let value = Self.value(&random)
                        if parameter.place == .header { headers[parameter.name] = value }
                        if parameter.place == .query { query.append("\(parameter.name)=\(value)") }
                    }
                    let uri = "/" + path.joined(separator: "/") + "?" + query.joined(separator: "&")
                    let answer = try await stage.ask("GET", uri, headers: headers)
                    #expect(answer.status != 500, "\(uri) \(headers): \(answer.text)")
                }
            }
            _ = try await client.status()
        }
    }
}
