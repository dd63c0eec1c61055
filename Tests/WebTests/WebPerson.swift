// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
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
        return WebPerson(stage: stage, name: name, cookie: String(cookie.split(separator: ";")[0]))
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

    /// Guesses until a pause is left that is several times as long as a guess takes on this machine: the pause doubles with
    /// each guess. What is tried next comes within it.
    ///
    /// - Returns: the status of each guess that was made without such a pause.
    static func guess(_ attempt: () async throws -> PlainHTTP.Answer) async throws -> [Int] {
        var statuses: [Int] = []
        while statuses.count < 14 {
            let begun = ContinuousClock.now
            let answer = try await attempt()
            let time = ContinuousClock.now - begun
            guard answer.status == 429, let pause = answer.headers["retry-after"].flatMap({ Int($0) }) else {
                statuses.append(answer.status)
                continue
            }
            // It is given in whole seconds, rounded up.
            if .seconds(pause - 1) > time * 5 { return statuses }
            try await Task.sleep(for: .seconds(pause))
        }
        Issue.record("no pause outgrew a guess: \(statuses)")
        return statuses
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
