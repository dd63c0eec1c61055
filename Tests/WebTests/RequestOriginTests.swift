// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import WebServer

@Suite("From where a request came")
struct RequestOriginTests {
    private static func origin(
        _ peer: String?, for forwardedFor: String? = nil, proto: String? = nil, behind words: [String] = []
    ) async throws -> RequestOrigin {
        var headers = HTTPFields()
        headers[.forwardedFor] = forwardedFor
        headers[.forwardedProto] = proto
        return await RequestOrigin(peer: peer, headers, behind: try ProxyRule(words))
    }

    @Test("limits by address count IPv6 by its network of 64 bits, and IPv4 as itself in both forms")
    func shares() {
        #expect(IPAddress.share(of: "2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64")
        #expect(IPAddress.share(of: "2001:db8:1:2::1") == IPAddress.share(of: "2001:DB8:1:2:ffff::"))
        #expect(IPAddress.share(of: "2001:db8:1:3::1") != IPAddress.share(of: "2001:db8:1:2::1"))
        #expect(IPAddress.share(of: "::ffff:10.1.2.3") == "10.1.2.3" && IPAddress.share(of: "10.1.2.3") == "10.1.2.3")
        #expect(IPAddress.share(of: "") == "" && IPAddress.share(of: "fe80::1%eth0") == "fe80::/64")
    }

    @Test("only loopback and named proxies over https are safe")
    func exposure() async throws {
        #expect(try await Self.origin("127.0.0.1").exposure == nil)
        #expect(try await Self.origin("::1").exposure == nil)
        #expect(try await Self.origin("::ffff:127.0.0.1").exposure == nil)
        #expect(try await Self.origin("10.0.0.5").exposure == .plain)
        #expect(try await Self.origin(nil).exposure == .plain)
        #expect(try await Self.origin("10.0.0.5", for: "127.0.0.1", proto: "https").exposure == .plain)
        #expect(try await Self.origin("127.0.0.1", for: "10.0.0.5").exposure == .unnamedProxy)
        #expect(try await Self.origin("127.0.0.1", proto: "https").exposure == .unnamedProxy)
        for words in [["10.0.0.5"], ["10.0.0.0/8"], ["192.168.0.0/16", "10.0.0.4/31"]] {
            let safe = try await Self.origin("10.0.0.5", for: "203.0.113.9", proto: "https", behind: words)
            #expect(safe.exposure == nil && safe.isHTTPS && safe.address == "203.0.113.9")
            for proto in ["http", nil, "https, http", ""] {
                let exposed = try await Self.origin("10.0.0.5", for: "203.0.113.9", proto: proto, behind: words)
                #expect(exposed.exposure == .plainAtProxy && !exposed.isHTTPS)
            }
        }
        #expect(try await Self.origin("10.0.0.5", proto: "https", behind: ["10.0.0.6/31"]).exposure == .plain)
        let named = try await Self.origin("127.0.0.1", for: "203.0.113.9", proto: "https", behind: ["localhost"])
        #expect(named.exposure == nil && named.address == "203.0.113.9")
    }

    @Test("of the addresses the last one counts that a proxy of ours has seen")
    func addresses() async throws {
        let rule = ["10.0.0.0/24"]
        for (list, address) in [
            ("203.0.113.9", "203.0.113.9"), ("1.2.3.4, 203.0.113.9", "203.0.113.9"),
            ("1.2.3.4,203.0.113.9,10.0.0.7", "203.0.113.9"), ("10.0.0.8 , 10.0.0.7", "10.0.0.8"),
            ("2001:DB8::1", "2001:db8::1"), ("nonsense", "10.0.0.5"), ("1.2.3.4, nonsense", "10.0.0.5"),
            ("", "10.0.0.5"), ("\u{600}, 203.0.113.9", "203.0.113.9"),
        ] {
            let origin = try await Self.origin("10.0.0.5", for: list, proto: "https", behind: rule)
            #expect(origin.address == address, "\(list)")
        }
    }

    @Test("words that are no proxy are refused")
    func words() {
        for word in [
            "10.0.0.0/33", "::1/129", "10.0.0.0/-1", "10.0.0.0/8/8", "", "1.2.3", "a b", "host/8", "10.0.0.0/",
        ] {
            #expect(throws: ProxyRule.Malformed.self, "\(word)") { try ProxyRule([word]) }
        }
    }
}
