// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Reads under way at once", .inTurn)
struct ReadLimitTests {
    @Test(
        "while storage accepts no more reads, a query service starts, writes are accepted, and the status is answered")
    func reserved() async throws {
        // The pair starts only because the pages of the snapshot and of the log are answered.
        try await withPair(reads: 0) { pair, client in
            let added = try await client.add(WriteTests.draft())
            // It gives up soon, because it repeats what was refused as busy.
            let impatient = try await pair.client(timeout: .seconds(2))
            await #expect(throws: ClientError.self) { try await impatient.show(added.id, history: 1) }
            await impatient.close()
            // A status waits two seconds for storage's part, which is not always enough on one busy core.
            try await until {
                let status = try await client.status()
                return status.storage?.landmarks == 1 && status.query?.isStorageAway == false
            }
        }
    }
}
