// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestTurns
import TestWeb
import Testing

@testable import Web

/// The routes alone: nothing delivers here.
@Suite("Hooks over HTTP", .inTurn)
struct HookRouteTests {
    private static let headers = ["content-type": "application/json", "waymark-user": "ann"]
    private static let plain = #"{"name":"orders","url":"https://example.org/in"}"#

    private func post(_ stage: WebStage, _ path: String, _ body: String = "") async throws -> PlainHTTP.Answer {
        try await stage.ask("POST", path, headers: Self.headers, body: body)
    }

    @Test("a hook is added with the filter of its fence, paused, resumed, tested and removed; its secret is told once")
    func life() async throws {
        try await withStage { stage, _ in
            _ = try await post(stage, "/v1/fences", #"{"name":"port","within":"0,0,1,1","kinds":["boat"]}"#)
            let added = try await post(
                stage, "/v1/hooks",
                #"{"name":"orders","url":"https://example.org/in","fence":"port","ops":["left","entered"],"batch":10}"#)
            #expect(added.status == 201 && added.headers["cache-control"] == "no-store", "\(added.text)")
            let secret = try #require(added.json["secret"] as? String)
            #expect(secret.hasPrefix("whsec_") && added.json["state"] as? String == "active")
            #expect(added.json["kinds"] as? [String] == ["boat"])
            #expect(added.json["within"] as? String == "0.0,0.0,1.0,1.0")
            #expect(added.json["ops"] as? [String] == ["entered", "left"] && added.json["batch"] as? Int == 10)
            #expect(added.json["fence"] as? String == "port" && added.json["last_success"] is NSNull)
            for path in ["/v1/hooks/orders", "/v1/hooks"] {
                let read = try await stage.ask("GET", path)
                #expect(read.status == 200 && !read.text.contains("whsec_"), "\(read.text)")
            }
            let list = try await stage.ask("GET", "/v1/hooks?limit=1")
            #expect((list.json["hooks"] as? [Any])?.count == 1 && list.json["head"] as? Int != nil)
            func act(_ word: String) async throws -> PlainHTTP.Answer {
                let answer = try await post(stage, "/v1/hooks/orders/\(word)")
                #expect(answer.status == 200, "\(word): \(answer.text)")
                return answer
            }
            #expect(try await act("pause").json["state"] as? String == "paused")
            #expect(try await act("resume?from=now").json["state"] as? String == "active")
            #expect(try await act("resume").json["state"] as? String == "active")
            let rotated = try await act("rotate")
            #expect((rotated.json["secret"] as? String)?.hasPrefix("whsec_") == true)
            #expect(rotated.json["secret"] as? String != secret)
            _ = try await act("test")
            let failed = try await stage.ask("GET", "/v1/hooks/orders/failed")
            let failures = try #require(failed.json["failures"] as? [[String: Any]])
            #expect(failures.map { $0["rev"] as? Int } == [0] && failures[0]["due"] as? Bool == true)
            #expect(failures[0]["body"] is NSNull && failed.json["next"] is NSNull)
            #expect(try await stage.ask("DELETE", "/v1/hooks/orders", headers: Self.headers).status == 204)
            for path in ["/v1/hooks/orders", "/v1/hooks/orders/failed"] {
                #expect(try await stage.ask("GET", path).status == 404)
            }
            #expect(try await post(stage, "/v1/hooks/orders/pause").status == 404)
        }
    }

    @Test("what is no hook is refused with a sentence")
    func refusals() async throws {
        try await withStage { stage, _ in
            for more in [
                #""batch":0"#, #""batch":1.5"#, #""batch":1001"#, #""from":"soon""#, #""from":-1"#, #""ops":["moved"]"#,
                #""ids":["x"]"#, #""secret":"short""#, #""secret":"whsec_AAAA""#, #""speed":1"#, #""lat":1"#,
                #""name":"again""#, #""fence":"""#, #""from":true"#, #""from":"""#,
            ] {
                let answer = try await post(stage, "/v1/hooks", String(Self.plain.dropLast()) + ",\(more)}")
                #expect(answer.status == 422 && answer.json["code"] as? String == "invalid", "\(more): \(answer.text)")
            }
            for url in ["", "ftp://example.org/", "https://ann:secret@example.org/", "https://", "/in"] {
                let answer = try await post(stage, "/v1/hooks", #"{"name":"x","url":"\#(url)"}"#)
                #expect(answer.status == 422, "\(url): \(answer.text)")
            }
            let lost = String(Self.plain.dropLast()) + #","fence":"none"}"#
            #expect(try await post(stage, "/v1/hooks", lost).status == 404)
            #expect(try await post(stage, "/v1/hooks", Self.plain).status == 201)
            for path in ["resume?from=start", "resume?from=x", "redeliver", "redeliver?rev=-1", "pause?all=true"] {
                #expect(try await post(stage, "/v1/hooks/orders/\(path)").status == 422, "\(path)")
            }
            #expect(try await post(stage, "/v1/hooks", String(repeating: " ", count: 300_000)).status == 413)
        }
    }

    @Test("a member of another form is refused with the form that it must have")
    func forms() async throws {
        try await withStage { stage, _ in
            for (member, form) in [
                (#""fence":1"#, "the name of a fence"), (#""fence":"""#, "the name of a fence"),
                (#""batch":"1""#, "a number"), (#""batch":1.5"#, "a whole number from 1 to 1000"),
                (#""from":"soon""#, "now, start or a revision"),
                (#""kinds":["a",1]"#, "a list of texts"), (#""ids":["x"]"#, "a list of ids of 36 characters"),
            ] {
                let answer = try await post(stage, "/v1/hooks", String(Self.plain.dropLast()) + ",\(member)}")
                let name = member.split(separator: "\"")[0]
                #expect(answer.json["detail"] as? String == "The field \(name) must be \(form).", "\(answer.text)")
            }
            let empty = String(Self.plain.dropLast()) + #","fence":null,"batch":null,"from":null,"kinds":null}"#
            #expect(try await post(stage, "/v1/hooks", empty).status == 201)
        }
    }

    @Test("a person sees and changes their own hooks, an administrator all")
    func owners() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .moderator)
            let ada = try await WebPerson.join(stage, machine, "ada", .admin)
            #expect(try await ann.ask("POST", "/v1/hooks", body: Self.plain).status == 201)
            func count(_ person: WebPerson) async throws -> Int? {
                (try await person.ask("GET", "/v1/hooks").json["hooks"] as? [Any])?.count
            }
            #expect(try await count(ann) == 1)
            #expect(try await count(bob) == 0)
            #expect(try await count(ada) == 1)
            #expect(try await bob.ask("GET", "/v1/hooks/orders").status == 404)
            #expect(try await bob.ask("POST", "/v1/hooks/orders/pause").status == 404)
            #expect(try await ada.ask("POST", "/v1/hooks/orders/pause").json["state"] as? String == "paused")
        }
    }
}
