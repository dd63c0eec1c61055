// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Ingest

@Suite("From where an address can be reached", .inShortTurn)
struct AddressReachTests {
    @Test(arguments: [
        ("1.1.1.1", AddressReach.world), ("2606:4700::1111", .world), ("::ffff:8.8.8.8", .world),
        ("64:ff9b::808:808", .world), ("2002:808:808::1", .world), ("172.15.255.255", .world), ("172.32.0.0", .world),
        ("100.63.255.255", .world), ("100.128.0.0", .world), ("11.0.0.0", .world), ("9.255.255.255", .world),
        ("127.0.0.1", .machine), ("127.255.255.255", .machine), ("::1", .machine), ("[::1]", .machine),
        ("::ffff:127.0.0.1", .machine), ("::127.0.0.1", .machine), ("64:ff9b::7f00:1", .machine),
        ("2002:7f00:1::1", .machine), ("localhost", .machine), ("a.LOCALHOST", .machine),
        ("169.254.169.254", .link), ("::ffff:169.254.169.254", .link), ("64:ff9b::a9fe:a9fe", .link),
        ("fe80::1%eth0", .link), ("febf::1", .link),
        ("10.0.0.1", .site), ("172.16.0.1", .site), ("172.31.255.255", .site), ("192.168.1.1", .site),
        ("100.64.0.1", .site), ("100.127.255.255", .site), ("198.18.0.1", .site), ("198.19.255.255", .site),
        ("fc00::1", .site), ("fdff::1", .site), ("fec0::1", .site), ("64:ff9b:1::1", .site),
        ("0.0.0.0", .none), ("0.1.2.3", .none), ("::", .none), ("224.0.0.1", .none), ("239.1.1.1", .none),
        ("255.255.255.255", .none), ("240.0.0.1", .none), ("192.0.0.1", .none), ("192.0.2.1", .none),
        ("192.88.99.1", .none), ("198.51.100.1", .none), ("203.0.113.1", .none), ("ff02::1", .none),
        ("2001:db8::1", .none), ("2001::1", .none), ("100::1", .none), ("3fff::1", .none), ("5f00::1", .none),
        ("4000::1", .none),
    ])
    func reach(text: String, reach: AddressReach) { #expect(AddressReach(text) == reach) }

    @Test(arguments: ["example.com", "", "127.1", "1.2.3.4.5", "0x7f000001"])
    func aNameHasNone(text: String) { #expect(AddressReach(text) == nil) }
}
