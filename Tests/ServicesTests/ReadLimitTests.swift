// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Reads under way at once", .inTurn, .timeLimit(.minutes(5)))
struct ReadLimitTests {
    @Test("where storage takes no more reads, a query service still starts, writes go on, and the status is told")
    func reserved() async throws {
        // Starts only because the pages of its snapshot are taken.
        let pair = try await Pair(reads: 0)
        let client = try await pair.client(timeout: .milliseconds(500))
        do {
            let added = try await client.add(WriteTests.draft())
            await #expect(throws: ClientError.self) { try await client.show(added.id, history: 1) }
            let status = try await client.status()
            #expect(status.hasStorage && status.storage.landmarks == 1 && !status.query.storageAway)
        } catch {
            await client.close()
            await pair.stop()
            throw error
        }
        await client.close()
        await pair.stop()
    }
}
