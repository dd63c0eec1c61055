// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Web

@Suite(.inTurn)
struct ReadRouteTests {
    private static let names = ["Milsons Point", "Bondi Beach", "Manly Beach"]

    private func fill(_ client: WaymarkClient) async throws -> [Written] {
        var written: [Written] = []
        for (place, name) in Self.names.enumerated() {
            let here = try Coordinate(latitude: -33.85 - Double(place) / 10, longitude: 151.2)
            let kind = place > 0 ? "beach" : ""
            written.append(try await client.add(try LandmarkDraft(name: name, coordinate: here, kind: kind)))
        }
        try await settle(client)
        return written
    }

    /// Waits until the query service has this client's writes: the HTTP interface is another client.
    private func settle(_ client: WaymarkClient) async throws {
        _ = try await client.list(.byName, limit: 1)
    }

    @Test
    func answersAreThoseOfTheBus() async throws {
        try await withStage { stage, client in
            let written = try await fill(client)
            let near = try await stage.ask("GET", "/v1/near?lat=-33.85&lng=151.2&limit=2")
            #expect(near.status == 200)
            #expect(near.headers["content-type"] == "application/json")
            let landmarks = near.json["landmarks"] as? [[String: Any]] ?? []
            #expect(landmarks.compactMap { $0["name"] as? String } == Array(Self.names.prefix(2)))
            #expect(landmarks.first?["distance_m"] as? Double == 0)
            let cursor = try #require(near.json["cursor"] as? String)
            let next = try await stage.ask("GET", "/v1/near?lat=-33.85&lng=151.2&cursor=\(cursor)")
            #expect((next.json["landmarks"] as? [[String: Any]])?.count == 1)

            let beaches = try await stage.ask("GET", "/v1/landmarks?kind=beach&sort=name")
            #expect((beaches.json["landmarks"] as? [[String: Any]])?.count == 2)
            let one = try await stage.ask("GET", "/v1/landmarks/\(written[0].id)")
            #expect(one.json["name"] as? String == "Milsons Point")
            #expect((one.json["history"] as? [Any])?.count == 1)
            #expect(one.headers["etag"] == "\"1\"")
            let distance = try await stage.ask("GET", "/v1/distance?from=\(written[0].id)&to=-33.85,151.2")
            #expect(distance.json["distance_m"] as? Double == 0)
            let status = try await stage.ask("GET", "/v1/status")
            #expect((status.json["query"] as? [String: Any])?["ready"] as? Bool == true)
            // The text search follows the writes a moment later.
            var found: String?
            while found == nil {
                let search = try await stage.ask("GET", "/v1/search?q=bondi+beach")
                found = (search.json["landmarks"] as? [[String: Any]])?.first?["name"] as? String
            }
            #expect(found == "Bondi Beach")
            let geo = try await stage.ask("GET", "/v1/landmarks", headers: ["accept": "application/geo+json"])
            #expect(geo.json["type"] as? String == "FeatureCollection")
        }
    }

    @Test
    func anUnchangedAnswerIsNotSentAgain() async throws {
        try await withStage { stage, client in
            _ = try await fill(client)
            let first = try await stage.ask("GET", "/v1/landmarks")
            let tag = try #require(first.headers["etag"])
            let again = try await stage.ask("GET", "/v1/landmarks", headers: ["if-none-match": tag])
            #expect(again.status == 304 && again.text.isEmpty)
            _ = try await client.add(try LandmarkDraft(name: "New", coordinate: Coordinate(latitude: 1, longitude: 2)))
            try await settle(client)
            let later = try await stage.ask("GET", "/v1/landmarks", headers: ["if-none-match": tag])
            #expect(later.status == 200)
            let head = try await stage.ask("HEAD", "/v1/landmarks", headers: ["accept-encoding": "gzip"])
            #expect(head.status == 200 && head.text.isEmpty && head.headers["content-encoding"] == "gzip")
            #expect(head.headers["etag"] == later.headers["etag"])
        }
    }

    @Test(arguments: [
        ("/v1/near", 422, "invalid"), ("/v1/near?lat=91&lng=0", 422, "invalid"),
        ("/v1/near?lat=1&lng=2&limmit=3", 422, "invalid"), ("/v1/near?lat=%ff&lng=0", 400, "bad_request"),
        ("/v1/landmarks/nonsense", 422, "invalid"), ("/v1/geocode", 422, "invalid"), ("/v1/where?at=x", 422, "invalid"),
        ("/v1/landmarks/01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5", 404, "not_found"), ("/v2", 404, "not_found"),
        ("/v1/landmarks?cursor=!", 422, "invalid"), ("/v1/changes?since=x", 422, "invalid"),
    ])
    func whatCannotBeAnsweredIsAProblemWithACode(path: String, status: Int, code: String) async throws {
        try await withStage { stage, _ in
            let answer = try await stage.ask("GET", path)
            #expect(answer.status == status)
            #expect(answer.json["code"] as? String == code)
            #expect(answer.json["status"] as? Int == status)
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }

    @Test
    func onlyKnownNamesAndOriginsMayAsk() async throws {
        try await withStage {
            $0.origins = ["https://map.example"]
        } _: { stage, _ in
            for host in ["evil.example", "evil.example:\(stage.port)", "127.0.0.1.evil.example"] {
                #expect(try await stage.ask("GET", "/v1/status", headers: ["host": host]).status == 421)
            }
            for host in ["localhost:\(stage.port)", "127.0.0.1", "[::1]:80", "LOCALHOST"] {
                #expect(try await stage.ask("GET", "/v1/status", headers: ["host": host]).status == 200)
            }
            let foreign = try await stage.ask("POST", "/v1/landmarks", headers: ["origin": "https://evil.example"])
            #expect(foreign.status == 403 && foreign.json["code"] as? String == "foreign_origin")
            #expect(foreign.headers["access-control-allow-origin"] == nil)
            let null = try await stage.ask("DELETE", "/v1/landmarks/x", headers: ["origin": "null"])
            #expect(null.status == 403)
            let known = try await stage.ask("GET", "/v1/status", headers: ["origin": "https://map.example"])
            #expect(known.headers["access-control-allow-origin"] == "https://map.example")
            #expect(known.headers["content-security-policy"] != nil)
            #expect(known.headers["x-content-type-options"] == "nosniff")
            let wrong = try await stage.ask("PUT", "/v1/status")
            #expect(wrong.status == 405 && wrong.headers["allow"]?.contains("GET") == true)
        }
    }

    @Test("a request that a page of another origin has made reaches no handler, whatever its method")
    func foreignPages() async throws {
        try await withStage {
            $0.origins = ["https://map.example"]
        } _: { stage, _ in
            let link = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"]
            // A picture and a frame, fetch from another port and from a file, a link to what is no page, a form.
            let foreign: [(method: String, path: String, headers: [String: String])] = [
                ("GET", "/v1/status", ["sec-fetch-site": "cross-site", "sec-fetch-dest": "image"]),
                ("GET", "/", link.merging(["sec-fetch-dest": "iframe"]) { $1 }),
                ("GET", "/v1/status", ["sec-fetch-site": "same-site"]),
                ("GET", "/v1/status", ["origin": "http://127.0.0.1:1"]), ("GET", "/v1/status", ["origin": "null"]),
                ("GET", "/v1/status", link), ("POST", "/", link),
                ("GET", "/assets/map.js", ["sec-fetch-site": "cross-site"]),
                ("HEAD", "/v1/near?lat=1&lng=2", ["origin": "https://evil.example"]),
                ("OPTIONS", "/v1/near", ["origin": "https://evil.example"]),
                ("GET", "/v1/changes", ["origin": "https://evil.example"]),
            ]
            for (method, path, headers) in foreign {
                let answer = try await stage.ask(method, path, headers: headers)
                #expect(answer.status == 403, "\(method) \(path) \(headers)")
                #expect(method == "HEAD" || answer.json["code"] as? String == "foreign_origin")
            }
            let welcome: [(path: String, headers: [String: String])] = [
                ("/", link), ("/?q=1", link), ("/v1", link), ("/v1/status", [:]),
                ("/v1/status", ["sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"]),
                ("/v1/status", ["sec-fetch-site": "none", "sec-fetch-mode": "navigate"]),
                ("/v1/status", ["origin": "http://127.0.0.1:\(stage.port)"]),
                ("/v1/status", ["origin": "https://map.example", "sec-fetch-site": "cross-site"]),
            ]
            for (path, headers) in welcome {
                #expect(try await stage.ask("GET", path, headers: headers).status == 200, "\(path) \(headers)")
            }
        }
    }

    @Test
    func eachCodeHasAStatusThatIsAnError() {
        for code in ErrorCode.allCases { #expect((400..<600).contains(code.httpStatus.code)) }
    }

    @Test
    func tilesAndThePageAreServed() async throws {
        try await withStage { stage, client in
            _ = try await fill(client)
            var tile = try await stage.ask("HEAD", "/v1/tiles/0/0/0")
            // The order of the tiles is made at the first question.
            for _ in 0..<3_000 where tile.status == 503 {
                try await Task.sleep(for: .milliseconds(20))
                tile = try await stage.ask("HEAD", "/v1/tiles/0/0/0")
            }
            #expect(tile.status == 200)
            let tag = try #require(tile.headers["etag"])
            let again = try await stage.ask("GET", "/v1/tiles/0/0/0", headers: ["if-none-match": tag])
            #expect(again.status == 304)
            #expect(try await stage.ask("GET", "/v1/tiles/0/1/0").status == 422)
            let page = try await stage.ask("GET", "/")
            #expect(page.status == 200 && page.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(page.headers["content-security-policy"]?.contains("script-src 'self'") == true)
            let box = try await stage.ask("GET", "/v1/landmarks?within=-33.9,151,-33.8,152")
            #expect((box.json["landmarks"] as? [[String: Any]])?.count == 1)
        }
    }

    @Test
    func theDescriptionHasEachRoute() async throws {
        try await withStage { stage, _ in
            let answer = try await stage.ask("GET", "/v1/openapi.json")
            let paths = try #require(answer.json["paths"] as? [String: [String: Any]])
            for route in WebRouter.routes {
                #expect(paths[route.template]?[route.method.rawValue.lowercased()] != nil)
            }
            #expect(paths.values.map(\.count).reduce(0, +) == WebRouter.routes.count)
            let components = try #require(answer.json["components"] as? [String: [String: Any]])
            let schemas = try #require(components["schemas"]).keys
            let used = answer.text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { String($0.output.1) }
            #expect(!used.isEmpty && Set(used).isSubset(of: schemas))
            let page = try await stage.ask("GET", "/v1/")
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            for route in WebRouter.routes {
                #expect(page.text.contains("<h2>\(route.method.rawValue) \(route.template)</h2>"))
            }
            #expect(!page.text.contains("src=") && !page.text.contains("<script"))
        }
    }
}
