// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

@Suite(.inTurn)
struct KindRouteTests {
    @Test
    func kindsAreFoundAsOnTheCommandLine() async throws {
        try await withStage { stage, _ in
            let (all, right, nearly) = (
                try await found(stage, ""), try await found(stage, "?q=petrol"), try await found(stage, "?q=petrlo")
            )
            #expect(all.count > 90 && right == ["gas_station"] && nearly == right)
            let none = try await found(stage, "?q=xyzzy")
            #expect(none.isEmpty)
            let tooLong = try await stage.ask("GET", "/v1/kinds?q=" + String(repeating: "a", count: 201))
            #expect(tooLong.status == 422)
        }
    }

    @Test("a kind has the number of its landmarks")
    func counts() async throws {
        try await withStage { stage, client in
            for (number, kind) in ["museum", "museum", "park", ""].enumerated() {
                let place = try Coordinate(latitude: Double(number), longitude: 2)
                _ = try await client.add(LandmarkDraft(name: "Place \(number)", coordinate: place, kind: kind))
            }
            let last = try await client.list(.byName, limit: 1, filter: LandmarkFilter(kinds: ["park"]))
            let answer = try await stage.ask("GET", "/v1/kinds")
            let counts = try #require(answer.json["kinds"] as? [[String: Any]]).reduce(into: [String: Int]()) {
                if let kind = $1["kind"] as? String { $0[kind] = $1["count"] as? Int }
            }
            #expect(counts["museum"] == 2 && counts["park"] == 1 && counts["cafe"] == 0)
            let before = try await KindCounts(of: ["park", "", "no such kind"], asking: client)
            #expect(before["park"] == 1 && before[""] == 1 && before["no such kind"] == 0 && before["museum"] == nil)
            _ = try await client.remove(try #require(last.hits.first).landmark.id)
            let after = try await KindCounts(of: ["park", "museum"], asking: client)
            #expect(after["park"] == 0 && after["museum"] == 2)
            await #expect(throws: ClientError.self) {
                try await KindCounts(of: (0...1_000).map { "\($0)" }, asking: client)
            }
        }
    }

    private func found(_ stage: WebStage, _ query: String) async throws -> [String] {
        let answer = try await stage.ask("GET", "/v1/kinds\(query)")
        #expect(answer.status == 200)
        return try #require(answer.json["kinds"] as? [[String: Any]]).compactMap { $0["kind"] as? String }
    }
}
