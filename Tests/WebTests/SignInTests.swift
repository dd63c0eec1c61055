// SPDX-License-Identifier: Apache-2.0

import Accounts
import Logging
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkTransport
import WebServer
import ZeroMQ

@testable import Web

@Suite("Signing in over HTTP", .inTurn)
struct SignInTests {
    @Test("each edits his own and is refused the other's, the moderator may, the reader reads")
    func owners() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .user)
            let mod = try await WebPerson.join(stage, machine, "mod", .moderator)
            let eve = try await WebPerson.join(stage, machine, "eve", .reader)
            let added = try await ann.add("Bondi")
            let path = "/v1/landmarks/\(added.json["id"] as? String ?? "")"
            let note = "\(path)/notes/\(added.json["note"] as? String ?? "")"
            let name = #"{"name":"other"}"#
            for other in [bob, eve] {
                #expect(try await other.ask("GET", path).status == 200)
                // Whatever the header says.
                let edited = try await other.ask("PATCH", path, headers: ["waymark-user": "ann"], body: name)
                #expect(edited.status == 403 && edited.code == "denied")
                #expect(try await other.ask("DELETE", path).status == 403)
                #expect(try await other.ask("PATCH", note, body: #"{"text":"x"}"#).status == 403)
                #expect(try await other.ask("DELETE", note).status == 403)
                #expect(try await other.ask("POST", "\(path)/track", body: #"{"lat":1,"lng":1}"#).status == 403)
            }
            #expect(try await eve.add("no").status == 403)
            #expect(try await bob.ask("POST", "\(path)/notes", body: #"{"text":"bob's"}"#).status == 201)
            #expect(try await ann.ask("PATCH", path, body: name).status == 200)
            #expect(try await mod.ask("DELETE", note).status == 200)
            let seen = try await eve.ask("GET", path).json
            #expect(seen["user"] as? String == "ann" && seen["account"] as? Int == ann.number(seen))
            // A role that changes counts from the next request on.
            _ = try await machine.changeAccount("ann", role: .reader)
            #expect(try await ann.ask("PATCH", path, body: #"{"name":"again"}"#).status == 403)
            _ = try await machine.changeAccount("ann", ends: true)
            // Storage waits a second for query services to learn it, and a busy machine takes longer.
            try await until { try await ann.ask("GET", path).status == 403 }
            #expect(try await mod.ask("DELETE", path).status == 200)
            let trail = try await machine.audit(limit: 100)
            #expect(trail.contains { $0.account == "bob" && $0.outcome == "denied" && $0.origin == "127.0.0.1" })
            #expect(trail.contains { $0.deed == "sign_in" && $0.origin == "127.0.0.1" })
        }
    }

    @Test("the same key of a repeat is of one account alone")
    func repeats() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .user)
            let once = ["idempotency-key": "7"], body = #"{"name":"X","lat":1,"lng":2}"#
            let first = try await ann.ask("POST", "/v1/landmarks", headers: once, body: body).json["id"] as? String
            let repeated = try await ann.ask("POST", "/v1/landmarks", headers: once, body: body).json["id"] as? String
            let other = try await bob.ask("POST", "/v1/landmarks", headers: once, body: body).json["id"] as? String
            #expect(first != nil && first == repeated && other != nil && other != first)
        }
    }

    @Test("guessing is slowed down by address, and does not keep the owner out")
    func guessing() async throws {
        let proxies = try ProxyRule(["127.0.0.1"])
        try await withStage(accounts: true, { $0.proxies = proxies }) { stage, machine in
            let code = try #require(try await machine.createAccount("ann", .user).code)
            func attempt(_ password: String, from address: String, code: String? = nil) async throws -> PlainHTTP.Answer
            {
                try await WebPerson.attempt(
                    stage, "ann", password, code: code,
                    // What the client itself says stands before what the proxy adds.
                    headers: ["x-forwarded-for": "1.1.1.1, \(address)", "x-forwarded-proto": "https"])
            }
            let joined = try await attempt("secret of ann", from: "10.0.0.1", code: code)
            #expect(joined.status == 201)
            let set = try #require(joined.setCookie)
            #expect(set.hasPrefix("__Host-waymark=") && set.contains("; Secure") && !set.contains("Domain"))
            var (statuses, answer) = try await WebPerson.guess {
                try await attempt("wrong guess", from: "10.0.0.2")
            } then: {
                try await attempt("secret of ann", from: "10.0.0.2")
            }
            #expect(statuses.count >= 5 && Set(statuses) == [401])
            #expect(answer.status == 429 && Int(answer.headers["retry-after"] ?? "") ?? 0 > 0)
            #expect(try await attempt("secret of ann", from: "10.0.0.1").status == 201)
            // A subscriber of IPv6 has addresses without end, and counts once.
            var last = 0
            let guess = {
                last += 1
                return try await attempt("wrong guess", from: "2001:db8:1:2::\(last)")
            }
            (statuses, answer) = try await WebPerson.guess(guess, then: guess)
            #expect(statuses.count >= 5 && Set(statuses) == [401] && answer.status == 429)
        }
    }

    @Test("a browser that was in before signs in beside somebody who guesses at its address")
    func proof() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let out = try await ann.ask("DELETE", "/v1/session")
            // The session's cookie goes, and the other one comes.
            let before = "\(ann.cookie.replacing("=", with: "-before="))"
            let set = try #require(out.setCookie).split(separator: "\n")
            try #require(set.count == 2)
            #expect(set[0].contains("=;") && set[0].contains("Max-Age=0"))
            #expect(set[1].hasPrefix(before + "; Path=/") && set[1].contains("HttpOnly; SameSite=Strict"))
            let (statuses, answer) = try await WebPerson.guess {
                try await WebPerson.attempt(stage, "ann", "wrong guess")
            } then: {
                try await WebPerson.attempt(stage, "ann", WebPerson.password("ann"))
            }
            #expect(statuses.count >= 5 && Set(statuses) == [401] && answer.status == 429)
            // It lets nobody in by itself, and is nothing for another name.
            #expect(try await stage.ask("GET", "/v1/near?lat=0&lng=0", headers: ["cookie": before]).status == 401)
            let headers = ["cookie": before, "origin": "http://127.0.0.1:\(stage.port)"]
            #expect(
                try await WebPerson.attempt(stage, "ann", WebPerson.password("ann"), headers: headers).status == 201)
            // So does the cookie of a session that was ended elsewhere.
            let old = ["cookie": ann.cookie, "origin": "http://127.0.0.1:\(stage.port)"]
            #expect(try await WebPerson.attempt(stage, "ann", WebPerson.password("ann"), headers: old).status == 201)
        }
    }

    @Test("a secret is taken over https and from this machine alone")
    func plain() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            // A proxy on this machine that the configuration does not name.
            let forwarded = ["x-forwarded-for": "10.0.0.1", "x-forwarded-proto": "https"]
            let answer = try await WebPerson.attempt(stage, "ann", WebPerson.password("ann"), headers: forwarded)
            #expect(answer.status == 403 && answer.code == "not_encrypted" && answer.setCookie == nil)
            #expect(try await ann.ask("GET", "/v1/near?lat=0&lng=0", headers: forwarded).status == 403)
            let bearer = ["authorization": "Bearer \(WebToken.make())"].merging(forwarded) { $1 }
            #expect(try await stage.ask("GET", "/v1/near?lat=0&lng=0", headers: bearer).status == 403)
            // The page learns it before anybody types a password.
            let state = try await stage.ask("GET", "/v1/session", headers: forwarded)
            #expect(state.status == 200 && (state.json["problem"] as? String)?.contains("web.proxies") == true)
        }
    }

    @Test("beyond loopback it listens with accounts only behind a proxy that is named")
    func listening() async throws {
        let keys = try CurveKeyPair.generate()
        func listen(_ options: WebOptions, _ access: WebAccess?) async throws {
            // It asks for an endpoint when the rule is satisfied, and gets none.
            try await WebListener(options, endpoint: { nil }, access: access, logger: Logger(label: "test")).run()
        }
        let access = WebAccess(keys: keys, book: AccountBook(), settle: { _ in true })
        var options = WebOptions(ListenAddress(host: "0.0.0.0", port: 0))
        await #expect(throws: ListenRule.Refusal.self) { try await listen(options, nil) }
        await #expect(throws: ListenRule.Refusal.self) { try await listen(options, access) }
        options.proxies = try ProxyRule(["10.9.9.9"])
        await #expect(throws: ListenRule.Refusal.self) { try await listen(options, nil) }
        try await listen(options, access)
    }

    @Test("a stream of a session that has ended has nothing more from then on; others go on")
    func streams() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .user)
            let hers = try EventReader(port: stage.port, "/v1/changes", headers: ["cookie": ann.cookie])
            let his = try EventReader(port: stage.port, "/v1/changes", headers: ["cookie": bob.cookie])
            // Its position is known when it begins.
            for reader in [hers, his] {
                try await until { reader.status != nil }
            }
            _ = try await bob.add("first")
            for reader in [hers, his] { _ = try await reader.wait { events in events.contains { $0.name == "added" } } }
            for key in try await machine.keys(of: "ann") { try await machine.endKey(key.key) }
            // Storage waits a second for query services to learn it, and a busy machine takes longer.
            try await until { try await ann.ask("GET", "/v1/near?lat=0&lng=0").status != 200 }
            for number in 1...20 { _ = try await bob.add("later \(number)") }
            let events = try await hers.wait { $0.contains { $0.name == "signed_out" } }
            _ = try await his.wait { $0.filter { $0.name == "added" }.count == 21 }
            #expect(events.filter { $0.name == "added" }.count == 1)
            #expect(hers.events.filter { $0.name == "added" }.count == 1)
            #expect(his.events.filter { $0.name == "added" }.count == 21)
            let refused = try EventReader(port: stage.port, "/v1/changes", headers: ["cookie": ann.cookie])
            try await until { refused.status != nil }
            #expect(refused.status == 401)
            his.cut()
        }
    }

    @Test("odd bodies are refused, and none is repeated in the answer")
    func bodies() async throws {
        try await withStage(accounts: true) { stage, _ in
            let long = String(repeating: "p", count: 1_025)
            for body in [
                "", "[]", "{}", #"{"name":"ann"}"#, #"{"name":"ann","password":7}"#, #"{"name":"","password":"x"}"#,
                #"{"name":"ann","password":"sesame-x","role":"admin"}"#, #"{"name":"ann","password":"\#(long)"}"#,
                #"{"name":"ann","password":"sesame-x","password":"sesame-y"}"#,
                #"{"name":"ann","password":"sesame-x","code":"\#(String(repeating: "c", count: 9_000))"}"#,
                #"{"name":"ann","password":"sesame-x""#,
            ] {
                let answer = try await stage.ask(
                    "POST", "/v1/session", headers: ["content-type": "application/json"], body: body)
                #expect(
                    (400..<500).contains(answer.status) && !answer.text.contains("sesame"), "\(body): \(answer.text)")
            }
        }
    }

    @Test("without accounts nobody signs in, and everybody may do everything")
    func open() async throws {
        try await withStage { stage, _ in
            let state = try await stage.ask("GET", "/v1/session")
            #expect(state.text == #"{"accounts":false,"account":null,"problem":null}"# + "\n")
            #expect(try await WebPerson.attempt(stage, "ann", "secret of ann").code == "no_accounts")
        }
    }
}

extension WebPerson {
    /// The account's number, as the landmark that is its own says it.
    fileprivate func number(_ landmark: [String: Any]) -> Int? {
        ((landmark["notes"] as? [[String: Any]])?.first?["account"] as? Int).flatMap {
            $0 > 0 ? landmark["account"] as? Int : nil
        }
    }
}
