// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import ZeroMQ

@Suite("The family of an endpoint's addresses", .inShortTurn)
struct EndpointFamilyTests {
    @Test("addresses in brackets", arguments: ["tcp://[::1]:7420", "tcp://[fe80::1%eth0]:1"])
    func brackets(_ endpoint: String) {
        #expect(EndpointFamily.isIPv6(endpoint) && EndpointFamily.resolvesToIPv6(endpoint))
    }

    @Test(
        "everything else",
        arguments: ["tcp://127.0.0.1:7420", "ipc:///tmp/[x]", "inproc://a:1", "tcp://", "tcp://:1", ""])
    func others(_ endpoint: String) {
        #expect(!EndpointFamily.isIPv6(endpoint) && !EndpointFamily.resolvesToIPv6(endpoint))
    }
}
