// SPDX-License-Identifier: Apache-2.0

import Landmarks
import QueryService
import TestTurns
import Testing
import WaymarkClient

@Suite("What a relay that starts reads of the time before", .inTurn)
struct RelayFillTests {
    /// Adds landmarks, many at once.
    private static func write(_ numbers: Range<Int>, _ writer: WaymarkClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                if number - numbers.lowerBound >= 64 { try await group.next() }
                group.addTask { _ = try await writer.add(WriteTests.draft("\(number)")) }
            }
            try await group.waitForAll()
        }
    }

    /// Revisions and names of the changes after a position.
    private static func told(_ client: WaymarkClient, after start: Position) async throws -> [String] {
        var told: [String] = []
        var position = start
        while true {
            let page = try await client.changes(after: position)
            told += page.changes.map { "\($0.position.rev) \($0.change.landmark.name)" }
            guard page.through.rev > position.rev else { return told }
            position = page.through
        }
    }

    @Test("from each revision on it tells what storage tells, also across the join with its feed")
    func joins() async throws {
        try await withRelays { stage in
            let writer = try await stage.client(of: nil)
            // More than two pages of the log, before the relay and while it starts.
            try await Self.write(0..<2_400, writer)
            let writing = Task { try await Self.write(2_400..<3_200, writer) }
            while try await writer.hello().position.rev < 2_500 {}
            try await stage.startRelay(2)
            try await writing.value
            try await Self.write(3_200..<3_210, writer)
            let client = try await stage.client(of: 2)
            try await until { try await stage.counter("relay_kept_changes", of: 2) == 3_210 }
            var position = try await writer.hello().position
            for rev in [0, 1, 500, 998, 999, 1_000, 1_001, 2_000] + Array(stride(from: 2_400, through: 3_210, by: 9)) {
                position.rev = UInt64(rev)
                let (here, there) = (
                    try await Self.told(client, after: position), try await Self.told(writer, after: position)
                )
                #expect(here.count == 3_210 - rev && here == there, "after \(rev)")
            }
            // It was asked of none of that.
            #expect(try await stage.counter("relay_passed_on", of: 2) == 0)
        }
    }
}
