// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

@Suite("Sessions of browsers, and bearers", .inTurn)
struct SessionTests {
    @Test("a stranger gets nothing from any route but those that are open")
    func strangers() async throws {
        try await withStage(accounts: true) { stage, _ in
            let id = "01a20b51-18ff-769e-b2ab-2a729b9ec9af"
            var open: [String] = []
            for route in WebRouter.routes {
                let path = route.segments.map { segment in
                    switch segment {
                    case "{id}", "{note}": id
                    case "{z}", "{x}", "{y}": "0"
                    default: segment.hasPrefix("{") ? "x" : String(segment)
                    }
                }.joined(separator: "/")
                let answer = try await stage.ask(
                    route.method.rawValue, "/" + path,
                    headers: ["content-type": "application/json", "waymark-user": "ann"], body: "{}")
                if answer.status == 401 {
                    let isPhone = route.template.hasPrefix("/v1/track/")
                    // Who has a link needs no account, but the link's secret.
                    let isKeyed = isPhone || route.template.hasPrefix("/v1/shared")
                    #expect(answer.code == (isKeyed ? "key_ended" : "sign_in"))
                    #expect(answer.headers["www-authenticate"]?.hasPrefix(isPhone ? "Basic " : "Bearer ") == true)
                } else {
                    open.append("\(route.method) \(route.template)")
                }
            }
            #expect(
                open.sorted() == [
                    "DELETE /v1/session", "GET /v1", "GET /v1/openapi.json", "GET /v1/session", "POST /v1/account",
                    "POST /v1/session",
                ])
            #expect(try await stage.ask("GET", "/").status == 200)
        }
    }

    @Test("the cookie is a secret of this service's own making, and ends with the session")
    func cookie() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            // What somebody else has put there is neither accepted nor kept (session fixation).
            let answer = try await PlainHTTP.whenRead {
                try await WebPerson.attempt(
                    stage, "ann", WebPerson.password("ann"),
                    headers: [
                        "cookie": "waymark-\(stage.port)=waymark_" + String(repeating: "ab", count: 32),
                        "origin": "http://127.0.0.1:\(stage.port)",
                    ])
            }
            let set = try #require(answer.setCookie)
            #expect(set.contains("; HttpOnly") && set.contains("; SameSite=Strict") && set.contains("; Path=/"))
            #expect(!set.contains("abab") && !set.hasPrefix(ann.cookie))
            #expect(try await ann.ask("GET", "/v1/session").text.contains(#""name":"ann","#))
            // Another name of the cookie is none.
            let other = ann.cookie.replacing("waymark-\(stage.port)", with: "waymark-1")
            #expect(try await stage.ask("GET", "/v1/near?lat=0&lng=0", headers: ["cookie": other]).status == 401)
            #expect(try await ann.ask("GET", "/v1/near?lat=0&lng=0").status == 200)

            let gone = try await ann.ask("DELETE", "/v1/session")
            #expect(gone.status == 204 && gone.setCookie?.contains("Max-Age=0") == true)
            try await untilRefused { try await ann.ask("GET", "/v1/near?lat=0&lng=0") }
            let late = try await ann.ask("GET", "/v1/near?lat=0&lng=0")
            #expect(late.status == 401 && late.code == "key_ended")
            // Whoever comes with an ended one may sign in.
            let again = try await WebPerson.attempt(
                stage, "ann", WebPerson.password("ann"),
                headers: ["cookie": ann.cookie, "origin": "http://127.0.0.1:\(stage.port)"])
            #expect(again.status == 201)
        }
    }

    @Test("a session that signs in again ends the one before")
    func again() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let answer = try await WebPerson.attempt(
                stage, "ann", WebPerson.password("ann"),
                headers: ["cookie": ann.cookie, "origin": "http://127.0.0.1:\(stage.port)"])
            #expect(answer.status == 201)
            try await untilRefused { try await ann.ask("GET", "/v1/near?lat=0&lng=0") }
        }
    }

    @Test("pages of others cannot write with somebody's session")
    func forgery() async throws {
        try await withStage(accounts: true, { $0.origins = ["https://map.example"] }) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let body = #"{"name":"X","lat":1,"lng":2}"#
            let json = ["content-type": "application/json", "cookie": ann.cookie]
            // Without the header, as an old browser or a program; of another site; of one that may write otherwise; of
            // another port; of the same name over https, as a proxy would have it.
            for origin in [
                nil, "https://evil.example", "https://map.example", "http://127.0.0.1:1", "null",
                "https://127.0.0.1:\(stage.port)",
            ] {
                var headers = json
                headers["origin"] = origin
                let answer = try await stage.ask("POST", "/v1/landmarks", headers: headers, body: body)
                #expect(answer.status == 403 && answer.code == "foreign_origin", "\(origin ?? "none")")
                #expect(try await stage.ask("DELETE", "/v1/session", headers: headers).status == 403)
            }
            // A form of another page sends these without asking the browser's rules.
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
                let answer = try await ann.ask("POST", "/v1/landmarks", headers: ["content-type": type], body: body)
                #expect(answer.status == 415)
                let signIn = try await stage.ask(
                    "POST", "/v1/session", headers: ["content-type": type], body: #"{"name":"ann","password":"x"}"#)
                #expect(signIn.status == 415)
            }
            // No page of another origin can read with the cookie, even where it may read without.
            let read = try await ann.ask(
                "GET", "/v1/near?lat=0&lng=0", headers: ["origin": "https://map.example"])
            #expect(read.headers["access-control-allow-credentials"] == nil)
            #expect(try await ann.add("mine").status == 201)
            let listed = try await ann.ask("GET", "/v1/landmarks").json["landmarks"] as? [[String: Any]]
            #expect(listed?.map { $0["name"] as? String } == ["mine"])
        }
    }

    /// Storage waits a second for query services to learn that a key has ended, and a busy machine takes longer.
    private func untilRefused(_ ask: () async throws -> PlainHTTP.Answer) async throws {
        try await until("it is refused") { try await ask().status != 200 }
        #expect(try await ask().status == 401)
    }

    @Test("a bearer key reads and writes for its account until it ends, and is no session")
    func bearers() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let token = WebToken.make()
            let digest = try #require(WebToken.digest(token))
            try await machine.addKey(digest, .bearer, label: "report", to: "ann")
            let headers = ["authorization": "Bearer \(token)", "content-type": "application/json"]
            let added = try await PlainHTTP.whenRead {
                try await stage.ask(
                    "POST", "/v1/landmarks", headers: headers, body: #"{"name":"by bearer","lat":1,"lng":2}"#)
            }
            #expect(added.status == 201)
            let id = try #require(added.json["id"] as? String)
            #expect(try await ann.ask("GET", "/v1/landmarks/\(id)").json["user"] as? String == "ann")
            // Neither is accepted in the other's place.
            let session = String(ann.cookie.split(separator: "=")[1])
            for wrong in [
                ["authorization": "Bearer \(session)"], ["cookie": "waymark-\(stage.port)=\(token)"],
                ["authorization": "Basic \(token)"], ["authorization": "Bearer"],
                ["authorization": "Bearer waymark_12"],
                ["authorization": "Bearer \(WebToken.make())"],
            ] {
                let answer = try await PlainHTTP.whenRead {
                    try await stage.ask("GET", "/v1/near?lat=0&lng=0", headers: wrong)
                }
                #expect(answer.status == 401, "\(wrong)")
            }
            #expect(
                try await machine.keys(of: "ann").map(\.kind).sorted { $0.rawValue < $1.rawValue } == [
                    .session, .bearer,
                ])
            // A key that only reads does nothing else, though its account may.
            let reading = WebToken.make()
            let readingDigest = try #require(WebToken.digest(reading))
            try await machine.addKey(readingDigest, .bearer, label: "feed", to: "ann", readsOnly: true)
            let reader = ["authorization": "Bearer \(reading)", "content-type": "application/json"]
            let read = try await PlainHTTP.whenRead {
                try await stage.ask("GET", "/v1/near?lat=0&lng=0", headers: reader)
            }
            #expect(read.status == 200)
            let refused = try await stage.ask(
                "POST", "/v1/landmarks", headers: reader, body: #"{"name":"by reader","lat":1,"lng":2}"#)
            #expect(refused.status == 403)
            #expect(try await stage.ask("DELETE", "/v1/landmarks/\(id)", headers: reader).status == 403)
            #expect(try await stage.ask("GET", "/v1/hooks", headers: reader).status == 403)
            try await machine.endKey(readingDigest)
            try await machine.endKey(digest)
            try await untilRefused { try await stage.ask("GET", "/v1/near?lat=0&lng=0", headers: headers) }
        }
    }

    @Test("a new password ends all sessions, and storage keeps twenty of them")
    func ends() async throws {
        try await withStage(accounts: true) { stage, machine in
            let first = try await WebPerson.join(stage, machine, "ann", .user)
            for number in 1...19 {
                // From several addresses: one may not try as often.
                let digest = try #require(WebToken.digest(WebToken.make()))
                _ = try await machine.acting(for: RequestAuthor(origin: "10.0.0.\(number)")).beginSession(
                    digest, for: "ann", password: Array(WebPerson.password("ann").utf8), code: "", label: "")
            }
            #expect(try await first.ask("GET", "/v1/near?lat=0&lng=0").status == 200)
            let last = try await WebPerson.signIn(stage, "ann")
            try await untilRefused { try await first.ask("GET", "/v1/near?lat=0&lng=0") }

            let wrong = try await last.ask(
                "PUT", "/v1/password", body: #"{"old":"not this one","new":"another secret"}"#)
            #expect(wrong.status == 401 && wrong.code == "wrong_password", "\(wrong)")
            let body = #"{"old":"\#(WebPerson.password("ann"))","new":"another secret"}"#
            #expect(try await last.ask("PUT", "/v1/password", body: body).status == 204)
            try await untilRefused { try await last.ask("GET", "/v1/near?lat=0&lng=0") }
            #expect(try await WebPerson.attempt(stage, "ann", WebPerson.password("ann")).status == 401)
            #expect(try await WebPerson.attempt(stage, "ann", "another secret").status == 201)
        }
    }

    @Test("a session that ends while a body comes slowly writes nothing")
    func slowBody() async throws {
        // The end of a session, in between, may take long on a busy machine.
        try await withStage(accounts: true) {
            $0.request = .seconds(300)
        } _: { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let body = #"{"name":"X","lat":1,"lng":2}"#
            let host = "127.0.0.1:\(stage.port)"
            let slow = try SlowRequest(
                port: stage.port,
                """
                POST /v1/landmarks HTTP/1.1\r
                host: \(host)\r
                origin: http://\(host)\r
                cookie: \(ann.cookie)\r
                content-type: application/json\r
                content-length: \(body.utf8.count)\r
                \r
                \(body.prefix(5))
                """)
            let key = try #require(try await machine.keys(of: "ann").first?.key)
            try await machine.endKey(key)
            try await untilRefused { try await ann.ask("GET", "/v1/near?lat=0&lng=0") }
            let answer = await slow.end(String(body.dropFirst(5)))
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
        }
    }
}
