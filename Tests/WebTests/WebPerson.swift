// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestTurns
import TestWeb
import Testing
import WaymarkClient

/// Somebody with a browser, without the browser: the page's requests with the cookie and the origin that it would send.
struct WebPerson: Sendable {
    let stage: WebStage
    let name: String
    /// `NAME=SECRET`, as the browser sends it.
    var cookie: String

    struct NotSignedIn: Error, CustomStringConvertible { let description: String }

    static func password(_ name: String) -> String { "secret of \(name)" }

    /// Makes an account and signs in by its invitation.
    static func join(_ stage: WebStage, _ machine: WaymarkClient, _ name: String, _ role: Role) async throws
        -> WebPerson
    {
        guard let code = try await machine.createAccount(name, role).code else {
            throw CocoaError(.featureUnsupported)
        }
        return try await signIn(stage, name, code: code)
    }

    static func signIn(_ stage: WebStage, _ name: String, code: String? = nil) async throws -> WebPerson {
        let answer = try await attempt(stage, name, password(name), code: code)
        guard answer.status == 201, let cookie = answer.setCookie else {
            throw NotSignedIn(description: answer.text)
        }
        let person = WebPerson(stage: stage, name: name, cookie: String(cookie.split(separator: ";")[0]))
        // On a busy machine the service may not know the session for seconds, and refuses it until then.
        let state = try await PlainHTTP.whenRead { try await person.ask("GET", "/v1/session") }
        guard state.json["account"] is [String: Any] else { throw NotSignedIn(description: state.text) }
        return person
    }

    static func attempt(
        _ stage: WebStage, _ name: String, _ password: String, code: String? = nil, headers: [String: String] = [:]
    ) async throws -> PlainHTTP.Answer {
        var body = ["name": name, "password": password]
        body["code"] = code
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try await stage.ask(
            "POST", "/v1/session", headers: ["content-type": "application/json"].merging(headers) { $1 }, body: text)
    }

    /// Guesses until another attempt is answered within the pause that a guess was told. The pause doubles with each guess,
    /// so it outgrows the time that an attempt takes on any machine.
    ///
    /// - Returns: the status of each guess that was told no pause, and the answer to the other attempt.
    static func guess(
        _ guess: () async throws -> PlainHTTP.Answer, then attempt: () async throws -> PlainHTTP.Answer
    ) async throws -> (statuses: [Int], answer: PlainHTTP.Answer) {
        var statuses: [Int] = []
        for _ in 0..<60 {
            let begun = ContinuousClock.now
            let told = try await guess()
            guard told.status == 429, let pause = told.headers["retry-after"].flatMap({ Int($0) }) else {
                statuses.append(told.status)
                continue
            }
            let answer = try await attempt()
            // The pause is told in whole seconds, rounded up. An answer after it says nothing.
            if answer.status == 429 || begun.duration(to: .now) < .seconds(pause - 1) { return (statuses, answer) }
        }
        throw NotSignedIn(description: "no pause outgrew an attempt: \(statuses)")
    }

    func ask(
        _ method: String = "GET", _ path: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> PlainHTTP.Answer {
        var own = ["cookie": cookie]
        if method != "GET" { own["origin"] = "http://127.0.0.1:\(stage.port)" }
        if !body.isEmpty { own["content-type"] = "application/json" }
        return try await stage.ask(method, path, headers: own.merging(headers) { $1 }, body: body)
    }

    func add(_ name: String) async throws -> PlainHTTP.Answer {
        try await ask("POST", "/v1/landmarks", body: #"{"name":"\#(name)","lat":1,"lng":2,"note":"a note"}"#)
    }
}

extension PlainHTTP.Answer {
    var setCookie: String? { headers["set-cookie"] }
    var code: String { json["code"] as? String ?? "" }
}

extension PlainHTTP {
    /// Asks again while the service says that it could not read the accounts in time, as a busy machine makes it do.
    static func whenRead(_ ask: () async throws -> Answer) async throws -> Answer {
        var answer = try await ask()
        try await until("the accounts are read") {
            if answer.code == "unavailable" { answer = try await ask() }
            return answer.code != "unavailable"
        }
        return answer
    }
}
