// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import Web

@Suite("Finding a route", .inShortTurn)
struct RouteTableTests {
    private let table = RouteTable(WebRouter.routes)

    private func found(_ path: String) throws -> [String] {
        try table.matches(path).map { "\($0.known.route.method.rawValue) \($0.known.route.template)" }
    }

    @Test("every template is found by its own path, with all its methods")
    func templates() throws {
        for route in WebRouter.routes {
            let path = route.template.split(separator: "/").map { segment in
                segment.hasPrefix("{") ? "x" + segment.drop { $0 != "}" }.dropFirst() : String(segment)
            }.joined(separator: "/")
            #expect(try found("/" + path).contains("\(route.method.rawValue) \(route.template)"))
        }
        #expect(try found("/v1/landmarks").sorted() == ["GET /v1/landmarks", "POST /v1/landmarks"])
    }

    @Test("a path in another spelling is the same route")
    func spellings() throws {
        for path in ["/v1/near", "/v1/near/", "//v1//near", "/v1/n%65ar"] {
            #expect(try found(path) == ["GET /v1/near"], "\(path)")
        }
        let tile = try #require(try table.matches("/v1/tiles/3/4/%35").first)
        #expect(tile.path == ["z": "3", "x": "4", "y": "5"])
        let vector = try #require(try table.matches("/v1/tiles/3/4/5.mvt").first)
        #expect(vector.path == tile.path && vector.known.route.template.hasSuffix(".mvt"))
    }

    @Test("what is no route is none", arguments: ["", "/", "/v2", "/v1/near/x", "/v1/tiles/1/2", "/v1/NEAR", "/{id}"])
    func strangers(_ path: String) throws {
        #expect(try found(path).isEmpty)
    }

    @Test("a path that is not percent-encoded UTF-8 is refused")
    func broken() {
        for path in ["/v1/%ff", "/v1/%4"] {
            let problem = #expect(throws: Problem.self) { try table.matches(path) }
            #expect(problem?.detail == "The path is not percent-encoded UTF-8.")
        }
    }

    @Test("a parameter that the route does not have is refused")
    func parameters() throws {
        let near = try #require(try table.matches("/v1/near").first).known
        try near.check(try WebQuery("lat=1&lng=2&kind=a&kind=b"))
        let problem = #expect(throws: Problem.self) { try near.check(try WebQuery("lat=1&kinds=a")) }
        #expect(problem?.detail == "There is no parameter kinds here: see /v1/openapi.json.")
    }

    @Test("a header of the route that is there twice, or is not UTF-8, is refused")
    func headers() throws {
        let matches = try table.matches("/v1/landmarks")
        let add = try #require(matches.first(where: { $0.known.route.method == .post })).known
        try add.check([.waymarkUser: "jos\u{e9}", .accept: "a", .accept: "b"])
        let refused: [(HTTPFields, String)] = [
            ([.waymarkUser: "a", .waymarkUser: "b"], "is there twice"),
            ([.idempotencyKey: "jos\u{fffd}"], "is not UTF-8"),
        ]
        for (fields, reason) in refused {
            let problem = #expect(throws: Problem.self) { try add.check(fields) }
            #expect(problem?.detail.contains(reason) == true)
        }
    }

    @Test("the query's values: in order, the last one counts, a plus sign is a space")
    func query() throws {
        let query = try WebQuery("kind=a+b&kind=c%2Bd&lat&user=%C3%A9&user=&%6Cng=7")
        #expect(query.all("kind") == ["a b", "c+d"])
        #expect(query.text("kind") == "c+d")
        #expect(query.text("lat")?.isEmpty == true && query.text("user")?.isEmpty == true)
        #expect(query.text("lng") == "7" && query.text("q") == nil)
        let next = try WebQuery("kind=a+b&kind=%C3%A9&format=json&cursor=x").next(after: Data([0xfb]))
        #expect(next == "kind=a%20b&kind=%C3%A9&format=geojson&cursor=-w")
        let odd = #expect(throws: Problem.self) { try WebQuery("q=%ff") }
        #expect(odd?.detail == "The query is not percent-encoded UTF-8.")
        let long = #expect(throws: Problem.self) { try WebQuery((0...200).map { "a\($0)=" }.joined(separator: "&")) }
        #expect(long?.detail.hasPrefix("The query has more than") == true)
    }
}
