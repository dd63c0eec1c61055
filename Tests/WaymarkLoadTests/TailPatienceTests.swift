// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkLoad

@Suite("How long the first beacon is waited for", .computing)
struct TailPatienceTests {
    @Test("an operation may have to be done within 10 ms, and still two beacons may pass")
    func patience() {
        let test = TailTest(endpoint: "", changes: "", user: "", subscribers: 1, timeout: 10_000_000)
        #expect(test.patience >= UInt64(2 * WaymarkProtocol.beaconMilliseconds) * 1_000_000)
        #expect(
            TailTest(endpoint: "", changes: "", user: "", subscribers: 1, timeout: 9_000_000_000).patience
                == 9_000_000_000)
    }
}
