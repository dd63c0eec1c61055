// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("Where a service may listen", .inShortTurn)
struct ListenRuleTests {
    @Test(
        "loopback, ipc and inproc are local",
        arguments: [
            "tcp://127.0.0.1:7420", "tcp://127.9.9.9:*", "tcp://[::1]:7420", "ipc:///tmp/a",
            "inproc://a",
        ])
    func local(endpoint: String) throws {
        try ListenRule.check(endpoint, insecure: false)
    }

    @Test(
        "anything else is refused without insecure, also what only looks like loopback",
        arguments: [
            "tcp://0.0.0.0:7420", "tcp://localhost:1",
            "tcp://*:7420", "tcp://10.0.0.1:7420", "tcp://127.0.0.1.evil.example:7420",
            "tcp://eth0:7420", "tcp://[::]:7420", "tcp://127.0.0.256:1", "udp://127.0.0.1:1", "tcp://", "",
        ])
    func remote(endpoint: String) throws {
        #expect(throws: ListenRule.Refusal(endpoint: endpoint)) {
            try ListenRule.check(endpoint, insecure: false)
        }
        try ListenRule.check(endpoint, insecure: true)
    }
}
