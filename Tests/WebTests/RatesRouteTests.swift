// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import QueryService
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

@Suite(.inTurn)
struct RatesRouteTests {
    @Test func convertsOverHTTP() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rates-\(UUID()).json")
        try Data(#"{"base":"EUR","date":"2026-10-30","rates":{"AUD":1.5904,"USD":1.1172,"JPY":175.68}}"#.utf8).write(
            to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let rates = RatesSource(location: try SourceLocation(file.path(percentEncoded: false)))
        try await withStage(rates: rates) { stage, client in
            try await until { (try? await client.rates()) != nil }
            let sum = try await stage.ask("GET", "/v1/convert?amount=100&from=usd")
            #expect(sum.status == 200)
            #expect(sum.text.contains(#""result":142.36,"rate":1.42356,"date":"2026-10-30""#))
            let yen = try await stage.ask("GET", "/v1/convert?amount=12.50&from=EUR&to=JPY")
            #expect(yen.text.contains(#""amount":12.5,"from":"EUR","to":"JPY","result":2196,"#))
            let table = try await stage.ask("GET", "/v1/rates")
            #expect(table.json["base"] as? String == "AUD" && table.json["problem"] is NSNull)
            #expect((table.json["rates"] as? [String: Double])?["EUR"] == 0.628773)
            for query in [
                "", "?amount=1", "?amount=x&from=USD", "?amount=1&from=US", "?amount=1&from=XXX",
                "?amount=1&from=USD&to=1",
            ] {
                let refused = try await stage.ask("GET", "/v1/convert\(query)")
                #expect(refused.status == 422 && refused.json["code"] as? String == "invalid", "\(query)")
            }
        }
    }

    @Test func saysThatThereAreNone() async throws {
        try await withStage { stage, _ in
            let refused = try await stage.ask("GET", "/v1/rates")
            #expect(refused.status == 404 && refused.json["code"] as? String == "not_found")
        }
    }
}
