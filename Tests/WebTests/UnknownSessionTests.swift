// SPDX-License-Identifier: Apache-2.0

import Accounts
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@Suite("Sessions that the service does not know yet", .inTurn)
struct UnknownSessionTests {
    @Test("a session that another query service has begun is known at once")
    func elsewhere() async throws {
        try await withStage(accounts: true) { stage, machine in
            _ = try await WebPerson.join(stage, machine, "ann", .user)
            let token = WebToken.make()
            let digest = try #require(WebToken.digest(token))
            // Past this service, as through another one.
            _ = try await machine.beginSession(
                digest, for: "ann", password: Array(WebPerson.password("ann").utf8), code: "", label: "")
            let answer = try await PlainHTTP.whenRead {
                try await stage.ask(
                    "GET", "/v1/near?lat=0&lng=0", headers: ["cookie": "waymark-\(stage.port)=\(token)"])
            }
            #expect(answer.status == 200)
        }
    }

    @Test("while storage is away, an unknown session is not called ended, and a known one is still known")
    func away() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            await stage.stopStorage()
            for headers in [
                ["cookie": "waymark-\(stage.port)=\(WebToken.make())"], ["authorization": "Bearer \(WebToken.make())"],
            ] {
                // The page asks the second whether its person is still signed in.
                for path in ["/v1/near?lat=0&lng=0", "/v1/session"] {
                    let answer = try await stage.ask("GET", path, headers: headers)
                    #expect(answer.status == 503 && answer.code == "unavailable", "\(path): \(answer.text)")
                    #expect(answer.headers["retry-after"] == "1")
                }
            }
            #expect(try await ann.ask("GET", "/v1/session").text.contains(#""name":"ann","#))
            #expect(try await stage.ask("GET", "/v1/session").status == 200)
        }
    }
}
