// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import ServiceHost

@Suite("Where a service is asked for its health", .inShortTurn, .timeLimit(.minutes(5)))
struct ReachableEndpointTests {
    @Test(arguments: [
        ("tcp://0.0.0.0:7421", "tcp://127.0.0.1:7421"), ("tcp://*:7421", "tcp://127.0.0.1:7421"),
        ("tcp://[::]:7421", "tcp://[::1]:7421"), ("tcp://10.0.0.7:7421", "tcp://10.0.0.7:7421"),
        ("ipc:///run/a:b", "ipc:///run/a:b"), ("tcp://0.0.0.0:*", nil), ("tcp://127.0.0.1:*", nil),
    ])
    func endpoints(listen: String, reachable: String?) {
        #expect(ReachableEndpoint.of(listen) == reachable)
    }
}
