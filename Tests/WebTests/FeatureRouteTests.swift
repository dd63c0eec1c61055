// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Geodesy
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Web

/// The requests of GDAL's driver OAPIF and of QGIS, in their order.
@Suite("OGC API - Features", .inTurn)
struct FeatureRouteTests {
    private static let names = ["Bondi Beach", "Manly Beach", "Milsons Point"]

    private func fill(_ client: WaymarkClient) async throws -> [Written] {
        var written: [Written] = []
        for (place, name) in Self.names.enumerated() {
            let here = try Coordinate(latitude: -33.5 - Double(place), longitude: 151.25)
            written.append(try await client.add(LandmarkDraft(name: name, coordinate: here, kind: "beach")))
        }
        _ = try await client.list(.byName, limit: 1)
        return written
    }

    private func link(_ rel: String, _ type: String, _ document: [String: Any]) throws -> String {
        let links = try #require(document["links"] as? [[String: String]])
        let href = try #require(links.first { $0["rel"] == rel && $0["type"] == type }?["href"], "\(rel)")
        return String(href.trimmingPrefix("http://maps.test:80"))
    }

    private func features(_ document: [String: Any]) -> [String] {
        (document["features"] as? [[String: Any]] ?? []).compactMap {
            ($0["properties"] as? [String: Any])?["name"] as? String
        }
    }

    @Test("the links of the landing page lead to every feature, once")
    func links() async throws {
        try await withStage({ $0.hosts = ["maps.test"] }) { stage, client in
            let written = try await fill(client)
            func ask(_ path: String, _ type: String) async throws -> [String: Any] {
                let answer = try await stage.ask("GET", path, headers: ["host": "maps.test:80", "accept": type])
                #expect(answer.status == 200 && answer.headers["content-type"] == type, "\(path): \(answer.text)")
                return answer.json
            }
            let (json, geoJSON) = ("application/json", "application/geo+json")
            let openAPI = "application/vnd.oai.openapi+json;version=3.0"
            let landing = try await ask("/ogc/", json)
            let api = try await ask(try link("service-desc", openAPI, landing), openAPI)
            #expect((api["servers"] as? [[String: String]])?.first?["url"] == "http://maps.test:80/ogc")
            let paths = try #require(api["paths"] as? [String: Any])
            #expect(Set(paths.keys).isSuperset(of: ["/", "/collections", "/collections/landmarks/items"]))
            let limit = ((api["components"] as? [String: Any])?["parameters"] as? [String: Any])?["limit"]
            #expect(((limit as? [String: Any])?["schema"] as? [String: Any])?["maximum"] as? Int == 1_000)
            let classes = try await ask(try link("conformance", json, landing), json)["conformsTo"] as? [String] ?? []
            #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"))
            let collections = try await ask(try link("data", json, landing), json)["collections"] as? [[String: Any]]
            let collection = try #require(collections?.first)
            #expect(collections?.count == 1 && collection["id"] as? String == "landmarks")
            let alone = try await ask(try link("self", json, collection), json)
            #expect(NSDictionary(dictionary: alone) == NSDictionary(dictionary: collection))
            let schema = try await ask(
                try link("describedBy", "application/schema+json", collection), "application/schema+json")
            let fields = ((schema["properties"] as? [String: Any])?["properties"] as? [String: Any])?["properties"]
            let types = try #require(fields as? [String: [String: Any]])
            #expect(types["rating"]?["type"] as? String == "number")
            #expect(types["ratings"]?["type"] as? String == "integer")

            var page = try await ask(try link("items", geoJSON, collection) + "?limit=2", geoJSON)
            #expect(page["numberReturned"] as? Int == 2 && page["timeStamp"] as? String != nil)
            let named = try #require((page["features"] as? [[String: Any]])?.first?["properties"] as? [String: Any])
            // Each field has its type, so that no reader guesses it from the first page.
            #expect(Set(named.keys).isSubset(of: types.keys), "\(named.keys)")
            var found = features(page)
            page = try await ask(try link("next", geoJSON, page), geoJSON)
            found += features(page)
            #expect(found == Self.names && page["numberReturned"] as? Int == 1)
            #expect((page["links"] as? [[String: String]])?.contains { $0["rel"] == "next" } == false)
            let one = try await ask("/ogc/collections/landmarks/items/\(written[0].id)", geoJSON)
            #expect(one["id"] as? String == "\(written[0].id)" && one["type"] as? String == "Feature")
            #expect(try link("collection", json, one) == "/ogc/collections/landmarks")
        }
    }

    @Test("a box is that of the longitudes first, also with heights, beyond the earth, and with a page after it")
    func boxes() async throws {
        try await withStage { stage, client in
            _ = try await fill(client)
            for (box, names) in [
                ("151,-35,152,-34", ["Manly Beach"]), ("151,-35,-5,152,-34,9.5e1", ["Manly Beach"]),
                ("-1e3,-91,1000,91", Self.names), ("170,-40,-170,-30", []),
                ("151.24999999999999,-34.500000000000001,151.25000000000001,-34.499999999999999", ["Manly Beach"]),
            ] {
                let answer = try await stage.ask("GET", "/ogc/collections/landmarks/items?bbox=\(box)&datetime=../..")
                #expect(answer.status == 200 && features(answer.json) == names, "\(box): \(answer.text)")
            }
            let first = try await stage.ask(
                "GET", "/ogc/collections/landmarks/items?bbox=151,-35,152,-33&limit=1&f=json")
            let links = try #require(first.json["links"] as? [[String: String]])
            let next = try #require(links.first { $0["rel"] == "next" }?["href"])
            let path = next.trimmingPrefix("http://127.0.0.1:\(stage.port)")
            #expect(features(try await stage.ask("GET", String(path)).json) == ["Manly Beach"])
        }
    }

    @Test("a wrong parameter is 400, as the standard wants it, and an unknown feature 404")
    func refusals() async throws {
        try await withStage { stage, _ in
            for query in [
                "bbox=1,2,3", "bbox=1,2,3,x", "bbox=1,2,3,x,4", "bbox=1,2,3,nan", "bbox=1,5,2,4", "bbox=", "limit=0",
                "limit=x", "cursor=x", "f=html", "foo=bar", "limit=1&limit=2",
            ] {
                let answer = try await stage.ask("GET", "/ogc/collections/landmarks/items?\(query)")
                #expect(answer.status == 400, "\(query): \(answer.text)")
            }
            #expect(try await stage.ask("GET", "/ogc/collections/landmarks/items?limit=99999999").status == 200)
            for path in ["landmarks/items/x", "landmarks/items/01a20b51-18ff-769e-b2ab-2a729b9ec9af", "others"] {
                #expect(try await stage.ask("GET", "/ogc/collections/\(path)").status == 404, "\(path)")
            }
        }
    }

    @Test("where accounts are required, strangers get nothing")
    func strangers() async throws {
        try await withStage(accounts: true) { stage, machine in
            let eve = try await WebPerson.join(stage, machine, "eve", .reader)
            for path in ["/ogc", "/ogc/collections/landmarks/items", "/v1/tiles/0/0/0.mvt", "/v1/tiles.json"] {
                #expect(try await stage.ask("GET", path).status == 401, "\(path)")
            }
            #expect(try await eve.ask("GET", "/ogc/collections/landmarks/items").status == 200)
        }
    }
}
