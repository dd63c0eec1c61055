// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import Landmarks
import QueryService
import Rates
import ZeroMQ
import TestTurns
import TestWeb
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Rates of currencies", .inTurn)
struct RatesTests {
    private static let body = #"{"base":"EUR","date":"2026-10-30","rates":{"AUD":1.5904,"USD":1.1172}}"#

    private func source(_ server: TestServer) throws -> RatesSource {
        RatesSource(location: try SourceLocation(server.url), every: .milliseconds(50))
    }

    private func answer(_ client: WaymarkClient, until fits: (RatesAnswer) -> Bool) async throws -> RatesAnswer {
        var found: RatesAnswer?
        try await until("such rates are there") {
            do throws(ClientError) {
                let answer = try await client.rates()
                if fits(answer) { found = answer }
            } catch {
                guard case .refused(let refusal) = error, refusal.code == .unavailable else { throw error }
            }
            return found != nil
        }
        return try #require(found)
    }

    @Test("are asked for with the tag of the last ones, and kept when the source fails")
    func keepsTheLastGoodOnes() async throws {
        let isDown = Locked(false)
        let server = try await TestServer { head, _ in
            if isDown.withLock({ $0 }) { return .message("404 Not Found", [], "") }
            if head.headers["If-None-Match"] == ["\"a\""] { return .message("304 Not Modified", ["ETag: \"a\""], "") }
            return .message("200 OK", ["ETag: \"a\""], Self.body)
        }
        try await withPair(rates: try source(server)) { _, client in
            let first = try await answer(client) { _ in true }
            #expect(first.rates.base == .euro && first.rates.rates.count == 3 && first.problem == nil)
            try await until { server.requests.count >= 3 }
            #expect(server.requests.dropFirst().allSatisfy { $0.headers["If-None-Match"] == ["\"a\""] })
            #expect(try await client.rates().rates == first.rates)

            isDown.withLock { $0 = true }
            let stale = try await answer(client) { $0.problem != nil }
            #expect(stale.rates == first.rates)
            #expect(stale.problem?.contains("404") == true)
            let later = try await answer(client) { $0.age > stale.age }
            #expect(later.rates == first.rates)

            isDown.withLock { $0 = false }
            let again = try await answer(client) { $0.problem == nil }
            #expect(again.age <= later.age + 60_000)
        }
        await server.stop()
    }

    @Test("are known after a restart, with their age, although their source is away")
    func surviveARestart() async throws {
        let path =
            FileManager.default.temporaryDirectory.path + "/wm-rates-\(UUIDv7(high: 1, low: .random(in: 0...(.max))))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try await TestServer.answering("200 OK", [], Self.body)
        var kept = try source(server)
        kept.kept = path
        let first = try await {
            var first: RatesAnswer?
            try await withPair(rates: kept) { _, client in
                first = try await answer(client) { _ in true }
                try await until { FileManager.default.fileExists(atPath: path) }
            }
            return try #require(first)
        }()
        await server.stop()
        let hourAgo = Date(timeIntervalSinceNow: -3_600)
        try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: path)
        try await withPair(rates: kept) { _, client in
            let again = try await answer(client) { $0.problem != nil }
            #expect(again.rates == first.rates && (3_600_000..<7_200_000).contains(again.age))
        }
        // A file that somebody has broken is as none.
        try Data("{".utf8).write(to: URL(filePath: path))
        try await withPair(rates: kept, timeout: .seconds(10)) { _, client in
            var code: ErrorCode?
            // A client repeats what was refused, and on a busy machine its last copy may have too little time.
            try await until("the rates are refused or come") {
                do throws(ClientError) { _ = try await client.rates() } catch {
                    guard case .refused(let refusal) = error else { return false }
                    code = refusal.code
                }
                return true
            }
            #expect(code == .unavailable)
        }
    }

    @Test("are refused with a sentence while there are none")
    func saysWhyThereAreNone() async throws {
        try await withPair { _, client in
            let error = await #expect(throws: ClientError.self) { try await client.rates() }
            guard case .refused(let refusal)? = error else { throw Unexpected() }
            #expect(refusal.code == .notFound && refusal.message.contains("rates.url"))
        }
        let server = try await TestServer.answering("200 OK", [], "<html>")
        try await withPair(rates: try source(server), timeout: .milliseconds(600)) { _, client in
            while true {
                let error = await #expect(throws: ClientError.self) { try await client.rates() }
                if case .refused(let refusal)? = error, refusal.code == .unavailable, refusal.message.contains("HTML") {
                    break
                }
            }
        }
        await server.stop()
    }

    private struct Unexpected: Error {}
}
