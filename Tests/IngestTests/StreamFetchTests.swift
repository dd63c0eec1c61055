// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import TestTurns
import Testing

@Suite(.inShortTurn)
struct StreamFetchTests {
    /// A pipe that another thread writes and then closes.
    private func fetch(_ text: String, limit: Int = 1 << 20) async throws -> FetchResult {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        Thread.detachNewThread {
            let bytes = Array(text.utf8)
            _ = write(writer, bytes, bytes.count)
            close(writer)
        }
        return try await SourceFetcher().fetch(
            FetchRequest(location: SourceLocation(stream: reader), limits: FetchLimits(maxBytes: limit)))
    }

    @Test func readsToTheEnd() async throws {
        #expect(try await fetch("[1, 2]").text == "[1, 2]")
        #expect(try await fetch("").text == "")
        #expect("\(SourceLocation(stream: 0))" == "stdin")
    }

    @Test func isBounded() async throws {
        let error = await #expect(throws: FetchError.self) { try await fetch("0123456789", limit: 9) }
        #expect(error?.reason == .tooLarge(limit: 9, announced: nil))
    }
}
