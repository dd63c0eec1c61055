// SPDX-License-Identifier: Apache-2.0

internal import IPAddresses

/// The set of machines that can reach an address, according to the registries of special-purpose addresses that RFC
/// 6890 founded (iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry).
///
/// Before connecting to an address that a stranger chose, check the address of the connection itself instead of the
/// name, because a name may resolve to a different address a moment later.
public enum AddressReach: Comparable, Sendable {
    /// No machine has the address: it is unspecified, multicast, reserved, or for documentation.
    case none
    /// This machine only.
    case machine
    /// The machines on the same link. Includes 169.254.169.254, from which a machine in a cloud learns its secrets.
    case link
    /// The machines of a private network, including a provider's.
    case site
    case world

    /// Determines the reach of an address. Nil for a host name, except `localhost`, which is this machine (RFC 6761).
    ///
    /// - Parameter text: an address without a port, with or without brackets and a zone.
    public init?(_ text: some StringProtocol) {
        let host = text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") {
            self = .machine
            return
        }
        guard var address = IPAddress(host) else { return nil }
        let bits = address.bits
        // An IPv6 address may contain an IPv4 address (NAT64, IPv4-compatible, 6to4), which then decides the reach.
        if bits >> 32 == Self.translated || bits >> 32 == 0 && bits >> 24 != 0 {
            address = IPAddress(four: UInt32(truncatingIfNeeded: bits))
        } else if bits >> 112 == 0x2002 {
            address = IPAddress(four: UInt32(truncatingIfNeeded: bits >> 80))
        }
        let block = Self.blocks.first { $0.block.contains(address) }
        // The only allocated part of IPv6 is 2000::/3.
        self = block?.reach ?? (address.isFour || address.bits >> 125 == 1 ? .world : .none)
    }

    private static let translated: UInt128 = 0x64_ff9b << 64

    private typealias Block = (block: AddressBlock, reach: AddressReach)

    private static let blocks: [Block] = [
        ("0.0.0.0/8", .none), ("10.0.0.0/8", .site), ("100.64.0.0/10", .site), ("127.0.0.0/8", .machine),
        ("169.254.0.0/16", .link), ("172.16.0.0/12", .site), ("192.0.0.0/24", .none), ("192.0.2.0/24", .none),
        ("192.88.99.0/24", .none), ("192.168.0.0/16", .site), ("198.18.0.0/15", .site), ("198.51.100.0/24", .none),
        ("203.0.113.0/24", .none), ("224.0.0.0/4", .none), ("240.0.0.0/4", .none),
        ("::/128", .none), ("::1/128", .machine), ("64:ff9b:1::/48", .site), ("100::/64", .none), ("2001::/23", .none),
        ("2001:db8::/32", .none), ("3fff::/20", .none), ("5f00::/16", .none), ("fc00::/7", .site), ("fe80::/10", .link),
        ("fec0::/10", .site), ("ff00::/8", .none),
    ].compactMap { (text: String, reach: AddressReach) -> Block? in AddressBlock(text).map { ($0, reach) } }
}
