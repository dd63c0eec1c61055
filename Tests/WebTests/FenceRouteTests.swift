// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestTurns
import TestWeb
import Testing

@testable import Web

@Suite("Fences over HTTP", .inTurn)
struct FenceRouteTests {
    private static let headers = ["content-type": "application/json", "waymark-user": "ann"]
    private static let harbour = #"{"name":"harbour","lat":-33.8,"lng":151.2,"radius":5000,"kinds":["Boat"]}"#

    private func post(_ stage: WebStage, _ path: String, _ body: String) async throws -> PlainHTTP.Answer {
        try await stage.ask("POST", path, headers: Self.headers, body: body)
    }

    private func fill(_ stage: WebStage) async throws {
        for body in [
            #"{"name":"Ferry pub","lat":-33.81,"lng":151.2,"kind":"pub"}"#,
            #"{"name":"Ferry far","lat":-20,"lng":151.2,"kind":"boat"}"#,
            #"{"name":"Ferry","lat":-33.81,"lng":151.2,"kind":"boat"}"#,
        ] { #expect(try await post(stage, "/v1/landmarks", body).status == 201) }
    }

    private func names(_ answer: PlainHTTP.Answer) -> [String]? {
        (answer.json["landmarks"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    }

    @Test("a fence is kept, read, used wherever within is taken, and removed")
    func life() async throws {
        try await withStage { stage, _ in
            try await fill(stage)
            let kept = try await post(stage, "/v1/fences", Self.harbour)
            #expect(kept.status == 201 && kept.json["kinds"] as? [String] == ["boat"], "\(kept.text)")
            #expect(kept.json["radius"] as? Double == 5_000 && kept.json["within"] is NSNull)
            #expect(kept.json["user"] as? String == "ann")
            let read = try await stage.ask("GET", "/v1/fences/harbour")
            #expect(read.text == kept.text)
            for path in ["near?lat=0&lng=0&", "landmarks?"] {
                let found = try await stage.ask("GET", "/v1/\(path)fence=harbour")
                #expect(names(found) == ["Ferry"], "\(found.text)")
            }
            // A search takes no area.
            #expect(try await stage.ask("GET", "/v1/search?q=ferry&fence=harbour").status == 422)
            let both = try await stage.ask("GET", "/v1/near?lat=0&lng=0&fence=harbour&user=bob")
            #expect(names(both) == [])
            let reader = try EventReader(port: stage.port, "/v1/changes?since=0&fence=harbour")
            let events = try await reader.wait { $0.contains { $0.name == "added" } }
            #expect(events.filter { $0.name == "added" }.map { $0.data.contains(#""name":"Ferry","#) } == [true])
            reader.cut()
            #expect(try await stage.ask("DELETE", "/v1/fences/harbour", headers: Self.headers).status == 204)
            for path in ["/v1/fences/harbour", "/v1/near?lat=0&lng=0&fence=harbour", "/v1/changes?fence=harbour"] {
                let gone = try await stage.ask("GET", path)
                #expect(gone.status == 404 && gone.json["code"] as? String == "not_found", "\(path)")
                #expect((gone.json["detail"] as? String)?.contains("no fence") == true, "\(gone.text)")
            }
            #expect(try await stage.ask("DELETE", "/v1/fences/harbour", headers: Self.headers).status == 404)
        }
    }

    @Test("a box, a polygon and a name in another script come back as they were sent; the list has pages")
    func forms() async throws {
        try await withStage { stage, _ in
            let polygon = #"{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,0]]]}"#
            for (name, within) in [
                ("a", #""-34.5,151,-33,152""#), ("b", polygon), ("\u{6d77}", #""-10,170,10,-170""#),
            ] {
                let kept = try await post(stage, "/v1/fences", #"{"name":"\#(name)","within":\#(within)}"#)
                #expect(kept.status == 201, "\(kept.text)")
                // The answer's own members are those of a body.
                func again(_ answer: PlainHTTP.Answer) throws -> String {
                    let body: [String: Any] = ["name": name, "within": try #require(answer.json["within"])]
                    let data = try JSONSerialization.data(withJSONObject: body, options: .sortedKeys)
                    return String(decoding: data, as: UTF8.self)
                }
                let same = try await post(stage, "/v1/fences", try again(kept))
                #expect(same.status == 201, "\(same.text)")
                #expect(try again(same) == again(kept))
            }
            #expect(try await stage.ask("GET", "/v1/fences/%E6%B5%B7").status == 200)
            let first = try await stage.ask("GET", "/v1/fences?limit=2")
            #expect((first.json["fences"] as? [Any])?.count == 2 && first.json["next"] as? String == "b")
            let last = try await stage.ask("GET", "/v1/fences?limit=2&after=b")
            #expect((last.json["fences"] as? [Any])?.count == 1 && last.json["next"] is NSNull)
            let rings = ((first.json["fences"] as? [[String: Any]])?.last?["within"] as? [String: Any])?["coordinates"]
            #expect((rings as? [[Any]])?.map(\.count) == [4])
        }
    }

    @Test("a name is resolved when the request begins: a stream goes on with the filter that it had then")
    func once() async throws {
        try await withStage { stage, _ in
            _ = try await post(stage, "/v1/fences", Self.harbour)
            let reader = try EventReader(port: stage.port, "/v1/changes?fence=harbour")
            _ = try await reader.wait { $0.contains { $0.name == "beacon" } }
            #expect(try await post(stage, "/v1/fences", #"{"name":"harbour","within":"0,0,1,1"}"#).status == 201)
            try await fill(stage)
            let events = try await reader.wait { $0.contains { $0.name == "added" } }
            #expect(events.contains { $0.name == "added" && $0.data.contains(#""name":"Ferry","#) })
            reader.cut()
        }
    }

    @Test("a tile of a fence that was replaced is another one")
    func tiles() async throws {
        try await withStage { stage, _ in
            try await fill(stage)
            let path = "/v1/tiles/0/0/0?fence=harbour"
            _ = try await post(stage, "/v1/fences", Self.harbour)
            var tile = try await stage.ask("HEAD", path)
            // The order of the tiles is made at the first question.
            for _ in 0..<3_000 where tile.status == 503 {
                try await Task.sleep(for: .milliseconds(20))
                tile = try await stage.ask("HEAD", path)
            }
            let known = ["if-none-match": try #require(tile.headers["etag"])]
            #expect(try await stage.ask("HEAD", path, headers: known).status == 304)
            _ = try await post(stage, "/v1/fences", #"{"name":"harbour","within":"0,0,1,1"}"#)
            #expect(try await stage.ask("HEAD", path, headers: known).status == 200)
        }
    }

    @Test("a body or a question that is no filter is refused with a sentence")
    func refusals() async throws {
        try await withStage { stage, _ in
            for body in [
                "{}", #"{"name":"x"}"#, #"{"name":"x","kinds":[]}"#, #"{"name":"x","lat":1,"lng":2}"#,
                #"{"name":"x","radius":5}"#, #"{"name":"x","lat":1,"lng":2,"radius":5,"within":"0,0,1,1"}"#,
                #"{"name":"x","within":5}"#, #"{"name":"x","within":"0,0,1"}"#, #"{"name":"x","kinds":"boat"}"#,
                #"{"name":"x","kinds":["boat",1]}"#, #"{"name":"x","kinds":["boat"],"ids":[]}"#,
                #"{"name":"","kinds":["boat"]}"#, #"{"kinds":["boat"]}"#,
                #"{"name":"x","lat":1,"lng":2,"radius":-5}"#,
            ] {
                let answer = try await post(stage, "/v1/fences", body)
                #expect(answer.status == 422 && answer.json["code"] as? String == "invalid", "\(body): \(answer.text)")
            }
            _ = try await post(stage, "/v1/fences", #"{"name":"people","users":["ann","bob"]}"#)
            _ = try await post(stage, "/v1/fences", Self.harbour)
            for query in [
                "fence=", "fence=people", "fence=harbour&kind=pub", "fence=harbour&within=0,0,1,1",
                "fence=harbour&fence=people",
            ] {
                let answer = try await stage.ask("GET", "/v1/near?lat=0&lng=0&\(query)")
                #expect(answer.status == 422, "\(query): \(answer.text)")
            }
            #expect(try await stage.ask("GET", "/v1/changes?fence=harbour&lat=1&lng=2&radius=3").status == 422)
            // Several users are a filter of changes.
            let reader = try EventReader(port: stage.port, "/v1/changes?fence=people")
            _ = try await reader.wait { $0.contains { $0.name == "beacon" } }
            reader.cut()
        }
    }

    @Test("who has an account may remove their own, a moderator all; a reader keeps none")
    func owners() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .user)
            let eve = try await WebPerson.join(stage, machine, "eve", .reader)
            let kept = try await ann.ask("POST", "/v1/fences", body: Self.harbour)
            #expect(kept.status == 201 && (kept.json["account"] as? Int ?? 0) > 0, "\(kept.text)")
            #expect(try await eve.ask("GET", "/v1/fences/harbour").status == 200)
            for person in [bob, eve] {
                #expect(try await person.ask("DELETE", "/v1/fences/harbour").code == "denied")
                #expect(try await person.ask("POST", "/v1/fences", body: Self.harbour).code == "denied")
            }
            let mia = try await WebPerson.join(stage, machine, "mia", .moderator)
            #expect(try await mia.ask("DELETE", "/v1/fences/harbour").status == 204)
        }
    }
}
