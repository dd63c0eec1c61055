// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageRules

/// SQLite can store one and PostgreSQL cannot, and nobody may notice which of them runs.
@Suite("A NUL in a text", .inShortTurn)
struct NulTests {
    @Test("is refused before the request becomes a command")
    func refused() throws {
        let id = UUIDv7(high: 7, low: 7).wire
        let texts: [(String, (inout WireRequest) -> Void)] = [
            ("name", { $0.add.draft = .with { ($0.name, $0.lat, $0.lng) = ("a\0b", 1, 1) } }),
            ("note", { $0.addNote = .with { ($0.landmark, $0.text) = (id, "a\0b") } }),
            ("source", { $0.ingest.source = "a\0b" }),
            ("URL", { $0.beginFetch = .with { ($0.source, $0.url) = ("seed", "a\0b") } }),
            ("format", { $0.beginFetch = .with { ($0.source, $0.format) = ("seed", "a\0b") } }),
            ("source", { $0.beginFetch = .with { $0.source = "a\0b" } }),
            (
                "ETag",
                { $0.endFetch = .with { ($0.source, $0.outcome.result, $0.outcome.etag) = ("seed", .failed, "\0") } }
            ),
            (
                "format",
                { $0.endFetch = .with { ($0.source, $0.outcome.result, $0.outcome.format) = ("s", .ingested, "\0") } }
            ),
        ]
        for (field, fill) in texts {
            let refusal = #expect(throws: ServiceError.self) { try Command(.with(fill)) }
            #expect(
                refusal?.code == .invalid && refusal?.message == "The \(field) holds a NUL character: leave it out.")
        }
    }

    @Test("in what somebody asks for is found nowhere, and the rest of the batch is done", arguments: Home.allCases)
    func lookedUp(home: Home) async throws {
        let client = try EngineClient(home)
        var change = client.request(.account(.change(account: "a\0b", role: .user, name: nil, nil, ends: false)))
        (change.caller, change.deed) = (.machine, AuditDeed(deed: "change-account", origin: "test"))
        let batch = [
            client.request(.add(try draft("one"), note: nil)), change,
            client.request(.add(try draft("two"), note: nil)),
        ]
        #expect(try client.apply(batch).map(\.failure.code) == [0, ErrorCode.notFound.rawValue, 0])
        #expect(try await client.read { try $0.accounts.find(named: "a\0b") } == nil)
        let audit = try await client.read { try $0.auditPage(before: 0, limit: 5) }
        #expect(audit.entries.map(\.deed) == ["change-account"])
        try client.send(.ingest(StorageServiceTests.batch("seed", [("a", draft("three")), ("ab", draft("four"))])))
        let reader = client.engine.reader
        #expect(try await reader.sourceKeys("seed", after: "a\0z", limit: 5).keys == ["ab"])
        #expect(try await reader.sourceKeys("seed\0", after: "", limit: 5).keys.isEmpty)
    }
}
