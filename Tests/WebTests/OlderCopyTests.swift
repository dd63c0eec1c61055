// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@testable import Web

@Suite("An older copy of the database is put back", .inTurn)
struct OlderCopyTests {
    @Test(
        "a refusal for a position that nobody named is not told: the request is sent once more",
        arguments: [
            ErrorCode.futureRevision, .epochChanged,
        ])
    func repeated(_ code: ErrorCode) async throws {
        var count = 0
        let answer = try await Problem.of { () throws(ClientError) in
            count += 1
            if count == 1 { throw .refused(ServiceError(code, "gone")) }
            return count
        }
        #expect(answer == 2)
    }

    @Test("it is sent once more only, and nothing else is")
    func bounded() async throws {
        for (code, most) in [(ErrorCode.futureRevision, 2), (ErrorCode.invalid, 1), (ErrorCode.busy, 1)] {
            var count = 0
            let problem = await #expect(throws: Problem.self) {
                try await Problem.of { () throws(ClientError) -> Int in
                    count += 1
                    throw .refused(ServiceError(code, "no"))
                }
            }
            #expect(problem?.code == code.name)
            #expect(count == most)
        }
    }

    @Test("whoever adds over HTTP does not notice")
    func writes() async throws {
        try await withStage { stage, _ in
            func add(_ name: String) async throws -> Int {
                try await stage.ask(
                    "POST", "/v1/landmarks", headers: ["content-type": "application/json", "waymark-user": "ann"],
                    body: "{\"name\":\"\(name)\",\"lat\":1,\"lng\":2}"
                ).status
            }
            #expect(try await add("First") == 201)
            await stage.stopStorage()
            let (data, old) = (stage.directory + "/data", stage.directory + "/old")
            try FileManager.default.copyItem(atPath: data, toPath: old)
            try await stage.startStorage()
            for name in ["Gone", "Gone too"] { #expect(try await add(name) == 201) }
            await stage.stopStorage()
            try FileManager.default.removeItem(atPath: data)
            try FileManager.default.copyItem(atPath: old, toPath: data)
            try await stage.startStorage()
            for name in ["Second", "Third"] { #expect(try await add(name) == 201) }
            // The query service notices the older copy by itself and reads everything again; until then it answers as before.
            func names() async throws -> Set<String> {
                let all = try await stage.ask("GET", "/v1/landmarks")
                let landmarks = all.json["landmarks"] as? [[String: Any]] ?? []
                return Set(landmarks.compactMap { $0["name"] as? String })
            }
            try await until { try await names() == ["First", "Second", "Third"] }
        }
    }
}
