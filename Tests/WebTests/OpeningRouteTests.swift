// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@Suite("Openings and ranks over HTTP", .inTurn)
struct OpeningRouteTests {
    private func fill(_ client: WaymarkClient) async throws {
        for (place, hours) in ["24/7", "off", "Mo-Fr 09:00-17:00", ""].enumerated() {
            var attributes = Attributes(rating: place == 3 ? 5 : nil)
            if !hours.isEmpty { try attributes.set(.openingHours, to: hours) }
            if place == 3 { try attributes.set(.ratings, to: "100") }
            let here = try Coordinate(latitude: -33.85 - Double(place) / 100, longitude: 151.2)
            _ = try await client.add(
                try LandmarkDraft(name: "\(place)", coordinate: here, attributes: attributes))
        }
        // Until the query service has them.
        _ = try await client.list(.byName, limit: 1)
    }

    private func names(_ answer: PlainHTTP.Answer) -> [String] {
        (answer.json["landmarks"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    @Test("a moment or an exponent that nobody gave is refused, and the service goes on")
    func extremes() async throws {
        try await withStage { stage, client in
            try await fill(client)
            for path in [
                "/v1/landmarks?open=now&cursor=Bf__________Av__________",
                "/v1/convert?from=USD&amount=1e-9223372036854775808",
            ] {
                let answer = try await stage.ask("GET", path)
                #expect(answer.status == 422 && answer.json["code"] as? String == "invalid", "\(path): \(answer.text)")
            }
            #expect(names(try await stage.ask("GET", "/v1/landmarks?sort=name")) == ["0", "1", "2", "3"])
        }
    }

    @Test
    func onlyWhatIsKnownToBeOpen() async throws {
        try await withStage { stage, client in
            try await fill(client)
            for path in ["/v1/near?lat=-33.85&lng=151.2", "/v1/landmarks?sort=name"] {
                // No zone is configured: that of the nearest town is Sydney's, a Monday at ten and at three.
                for (time, open) in [("T10:00:00%2B11:00", ["0", "2"]), ("T03:00:00%2B11:00", ["0"])] {
                    #expect(names(try await stage.ask("GET", "\(path)&open=2026-11-23\(time)")) == open)
                }
                let now = names(try await stage.ask("GET", "\(path)&open=now"))
                #expect(now == ["0"] || now == ["0", "2"])
                let all = try await stage.ask("GET", "\(path)&hours=2026-11-23T10:00:00Z")
                #expect(names(all) == ["0", "1", "2", "3"])
                #expect(all.json["opening_at"] as? String == "2026-11-23T10:00:00.000Z")
                let states = (all.json["landmarks"] as? [[String: Any]] ?? []).map {
                    ($0["opening"] as? [String: Any])?["state"] as? String
                }
                #expect(states == ["open", "closed", "closed", nil])
                let third = (all.json["landmarks"] as? [[String: Any]])?[2]["opening"] as? [String: Any]
                #expect(third?["zone"] as? String == "Australia/Sydney" && third?["zone_assumed"] as? Bool == true)
                #expect(third?["until_local"] as? String == "2026-11-24T09:00")
                let plain = try await stage.ask("GET", path)
                #expect(plain.json["opening_at"] == nil && !plain.text.contains("\"opening\":"))
                for refused in ["open=soon", "open=now&hours=now", "hours=", "open=1970-01-01T00:00:00Z"] {
                    let answer = try await stage.ask("GET", "\(path)&\(refused)")
                    #expect(answer.status == 422 && answer.json["code"] as? String == "invalid", "\(refused)")
                }
            }
        }
    }

    @Test
    func byProminence() async throws {
        try await withStage { stage, client in
            try await fill(client)
            let path = "/v1/near?lat=-33.85&lng=151.2&rank=prominence"
            #expect(names(try await stage.ask("GET", "\(path)&radius=48280")) == ["3", "0", "1", "2"])
            #expect(names(try await stage.ask("GET", "\(path)&radius=1500")) == ["0", "1"])
            let first = try await stage.ask("GET", "\(path)&radius=5000&limit=3")
            let cursor = try #require(first.json["cursor"] as? String)
            #expect(names(try await stage.ask("GET", "\(path)&radius=5000&cursor=\(cursor)")) == ["2"])
            for refused in [path, "\(path)&radius=48281", "\(path)x&radius=5"] {
                #expect(try await stage.ask("GET", refused).status == 422)
            }
        }
    }
}
