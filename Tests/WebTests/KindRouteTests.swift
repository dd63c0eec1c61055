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

    private func found(_ stage: WebStage, _ query: String) async throws -> [String] {
        let answer = try await stage.ask("GET", "/v1/kinds\(query)")
        #expect(answer.status == 200)
        return try #require(answer.json["kinds"] as? [[String: Any]]).compactMap { $0["kind"] as? String }
    }
}
