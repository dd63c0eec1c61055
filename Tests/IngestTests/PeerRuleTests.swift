// SPDX-License-Identifier: Apache-2.0

import IPAddresses
import TestTurns
import Testing

@testable import Ingest

/// Where an address that a stranger chose may lead.
@Suite(.inShortTurn)
struct PeerRuleTests {
    private static func admits(_ address: String, allowing blocks: [String] = []) -> Bool {
        var rule = PeerRule(
            allowing: blocks.compactMap { AddressBlock($0) }, isProxied: false, reach: { AddressReach($0) })
        return rule.admits(PeerRule.Peer(address: address, port: 80))
    }

    @Test(arguments: [
        "127.0.0.1", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a00:1",
        "64:ff9b:1::1", "100.64.0.1", "169.254.169.254", "10.1.2.3", "192.168.0.1", "fe80::1%eth0", "fd00::1",
        "0.0.0.0",
        "a name",
    ])
    func staysOutside(address: String) { #expect(!Self.admits(address)) }

    @Test
    func theWorldAndWhatIsAllowed() {
        #expect(Self.admits("1.1.1.1") && Self.admits("2606:4700::1111"))
        #expect(Self.admits("10.1.2.3", allowing: ["192.168.0.0/16", "10.1.0.0/16"]))
        #expect(!Self.admits("10.2.2.3", allowing: ["192.168.0.0/16", "10.1.0.0/16"]))
        #expect(Self.admits("::ffff:127.0.0.1", allowing: ["127.0.0.1"]))
        #expect(!Self.admits("127.0.0.2", allowing: ["127.0.0.1"]))
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "a.example", "", "::/129"])
    func isNoBlock(text: String) { #expect(AddressBlock(text) == nil) }

    @Test
    func blocks() throws {
        let all = try #require(AddressBlock("::/0"))
        #expect(IPAddress("1.2.3.4").map(all.contains) == true)
        let four = try #require(AddressBlock("0.0.0.0/0"))
        #expect(IPAddress("1.2.3.4").map(four.contains) == true && IPAddress("2001:db8::1").map(four.contains) == false)
    }
}
