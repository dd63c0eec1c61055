// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import TestWeb
import Testing

@testable import Web

@Suite(.inTurn)
struct WriteRouteTests {
    private static let headers = ["content-type": "application/json", "waymark-user": "Andr%C3%A9"]
    private static let pool = #"{"name":"Icebergs","lat":-33.8951,"lng":151.2745,"kind":"pool","note":"Cold."}"#

    @Test
    func aLandmarkIsAddedChangedAndRemoved() async throws {
        try await withStage { stage, _ in
            let added = try await stage.ask("POST", "/v1/landmarks", headers: Self.headers, body: Self.pool)
            #expect(added.status == 201 && added.headers["etag"] == "\"1\"")
            let id = try #require(added.json["id"] as? String)
            // The answer of the next read has the write.
            let read = try await stage.ask("GET", "/v1/landmarks/\(id)")
            #expect(read.json["user"] as? String == "Andr\u{e9}")
            let path = "/v1/landmarks/\(id)"
            let match = Self.headers.merging(["if-match": "\"1\""]) { $1 }
            let changed = try await stage.ask("PATCH", path, headers: match, body: #"{"name":"Pool","kind":null}"#)
            #expect(changed.status == 200 && changed.headers["etag"] == "\"2\"")
            let late = try await stage.ask("PATCH", path, headers: match, body: #"{"name":"Other"}"#)
            #expect(late.status == 412 && late.json["version"] as? Int == 2)
            let noted = try await stage.ask("POST", path + "/notes", headers: Self.headers, body: #"{"text":"Hi"}"#)
            let note = try #require(noted.json["note"] as? String)
            #expect(noted.status == 201)
            let edited = try await stage.ask(
                "PATCH", path + "/notes/\(note)", headers: Self.headers, body: #"{"text":"Ho"}"#)
            #expect(edited.status == 200)
            #expect(try await stage.ask("DELETE", path + "/notes/\(note)", headers: Self.headers).status == 200)
            #expect(try await stage.ask("DELETE", path, headers: match).status == 412)
            #expect(try await stage.ask("DELETE", path, headers: Self.headers).status == 200)
            #expect(try await stage.ask("GET", path).status == 404)
            for unchanged in [false, true] {
                let restored = try await stage.ask("POST", path + "/restore", headers: Self.headers)
                #expect(restored.status == 200 && restored.headers["etag"] == "\"6\"")
                #expect(restored.json["unchanged"] as? Bool == unchanged)
            }
            #expect(try await stage.ask("GET", path).json["name"] as? String == "Pool")
            let other = "/v1/landmarks/01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5/restore"
            #expect(try await stage.ask("POST", other, headers: Self.headers).status == 404)
            #expect(try await stage.ask("POST", path + "/restore").status == 422)
        }
    }

    @Test
    func aNoteOfAnotherLandmarkIsNotThere() async throws {
        try await withStage { stage, _ in
            var paths: [String] = []
            for _ in 0..<2 {
                let added = try await stage.ask("POST", "/v1/landmarks", headers: Self.headers, body: Self.pool)
                paths.append("/v1/landmarks/\(try #require(added.json["id"] as? String))")
            }
            let noted = try await stage.ask("POST", paths[0] + "/notes", headers: Self.headers, body: #"{"text":"Hi"}"#)
            let note = "/notes/\(try #require(noted.json["note"] as? String))"
            let edit = #"{"text":"Ho"}"#
            for method in ["PATCH", "DELETE"] {
                let other = try await stage.ask(method, paths[1] + note, headers: Self.headers, body: edit)
                #expect(other.status == 404 && other.json["code"] as? String == "not_found")
            }
            let once = Self.headers.merging(["idempotency-key": "a"]) { $1 }
            // The same request gets the same answer, also when the note is gone.
            for _ in 0..<2 { #expect(try await stage.ask("DELETE", paths[0] + note, headers: once).status == 200) }
        }
    }

    /// A client whose fields are not among the changed ones sends them again; nothing of either is lost.
    @Test
    func aLatePatchIsToldWhatWasChangedSince() async throws {
        try await withStage { stage, _ in
            let added = try await stage.ask("POST", "/v1/landmarks", headers: Self.headers, body: Self.pool)
            let path = "/v1/landmarks/\(try #require(added.json["id"] as? String))"
            func patch(_ user: String, _ version: Int?, _ body: String) async throws -> PlainHTTP.Answer {
                var headers = Self.headers.merging(["waymark-user": user]) { $1 }
                if let version { headers["if-match"] = "\"\(version)\"" }
                return try await stage.ask("PATCH", path, headers: headers, body: body)
            }
            #expect(try await patch("ann", 1, #"{"phone":"1","kind":null}"#).status == 200)
            #expect(try await patch("ann", 2, #"{"name":"Pool"}"#).status == 200)
            // Changed and changed back is not changed.
            #expect(try await patch("ann", 3, #"{"name":"Icebergs"}"#).status == 200)
            let note = try await stage.ask("POST", path + "/notes", headers: Self.headers, body: #"{"text":"Hi"}"#)
            #expect(note.status == 201)
            let late = try await patch("bob", 1, #"{"rating":4}"#)
            #expect(late.status == 412 && late.json["version"] as? Int == 5)
            #expect(late.json["changed"] as? [String] == ["kind", "phone", "notes"])
            // There never was a version 9.
            let wrong = try await patch("bob", 9, #"{"rating":4}"#)
            #expect(wrong.status == 412 && wrong.json["version"] as? Int == 5 && wrong.json["changed"] == nil)
            #expect(try await patch("bob", 5, #"{"rating":4}"#).status == 200)
            let read = try await stage.ask("GET", path).json
            #expect(read["phone"] as? String == "1" && read["rating"] as? Int == 4 && read["kind"] is NSNull)
            let newest = try #require((read["history"] as? [[String: Any]])?.first)
            #expect(newest["user"] as? String == "bob" && newest["changed"] as? [String] == ["rating"])
            // A name is no attribute: it is never cleared, and never passed over in silence.
            #expect(try await patch("bob", nil, #"{"name":null,"rating":3}"#).status == 422)
        }
    }

    @Test
    func aKeyMakesARepeatedRequestOneRevision() async throws {
        try await withStage { stage, _ in
            let keyed = Self.headers.merging(["idempotency-key": "k 1"]) { $1 }
            let first = try await stage.ask("POST", "/v1/landmarks", headers: keyed, body: Self.pool)
            #expect(first.status == 201)
            for _ in 0..<3 {
                let again = try await stage.ask("POST", "/v1/landmarks", headers: keyed, body: Self.pool)
                #expect(again.status == 201 && again.text == first.text)
            }
            let other = try await stage.ask(
                "POST", "/v1/landmarks", headers: keyed, body: #"{"name":"Other","lat":1,"lng":2}"#)
            #expect(other.status == 409 && other.json["code"] as? String == "request_conflict")
            #expect((other.json["detail"] as? String)?.contains("Idempotency-Key") == true, "\(other.text)")
            let user = keyed.merging(["waymark-user": "ann"]) { $1 }
            let another = try await stage.ask("POST", "/v1/landmarks", headers: user, body: Self.pool)
            #expect(another.status == 201 && another.json["rev"] as? Int == 2)
        }
    }

    @Test(arguments: [
        (#"{"name":"A","lat":1}"#, 422), (#"{"name":"A","lat":1,"lng":2,"colour":"red"}"#, 422), ("[]", 422),
        ("{", 400), (#"{"name":"","lat":1,"lng":2}"#, 422), (#"{"name":"A","lat":"1","lng":2}"#, 422),
        (#"{"name":"A","lat":1,"lng":2,"link":"javascript:alert(1)"}"#, 422),
        (#"{"name":"\#(String(repeating: "x", count: 300_000))","lat":1,"lng":2}"#, 413),
    ])
    func whatCannotBeStoredIsRefused(body: String, status: Int) async throws {
        try await withStage { stage, _ in
            let answer = try await stage.ask("POST", "/v1/landmarks", headers: Self.headers, body: body)
            #expect(answer.status == status)
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }

    @Test
    func aBodyThatIsSomethingElseIsNamed() async throws {
        try await withStage { stage, _ in
            let page = try await stage.ask("POST", "/v1/landmarks", headers: Self.headers, body: "<html></html>")
            let sentence = "The body is an HTML page: check the address, and whether it needs a login."
            #expect(page.status == 400 && page.json["detail"] as? String == "The body is not JSON. \(sentence)")
        }
    }

    @Test
    func aWriteNeedsAUserAndATypeOfItsBody() async throws {
        try await withStage { stage, _ in
            let nobody = try await stage.ask(
                "POST", "/v1/landmarks", headers: ["content-type": "application/json"], body: Self.pool)
            #expect(nobody.status == 422)
            let plain = try await stage.ask(
                "POST", "/v1/landmarks", headers: ["content-type": "text/plain", "waymark-user": "ann"],
                body: Self.pool)
            #expect(plain.status == 415)
        }
    }
}
