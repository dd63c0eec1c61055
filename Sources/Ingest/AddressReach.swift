// SPDX-License-Identifier: Apache-2.0

import Glibc

/// From where an address can be reached: by the registries of special-purpose addresses that RFC 6890 founded
/// (iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry).
///
/// Whoever connects to where a stranger points asks with the address that is connected to: a name may stand for another
/// one a moment later.
public enum AddressReach: Int, Comparable, Sendable {
    /// No machine of its own: unspecified, multicast, reserved, for documentation.
    case none
    /// This machine.
    case machine
    /// The machines of a link; among them 169.254.169.254, which tells a machine in a cloud its secrets.
    case link
    /// A private network, also the one of a provider.
    case site
    case world

    public static func < (left: AddressReach, right: AddressReach) -> Bool { left.rawValue < right.rawValue }

    /// Nil for a name, except `localhost`, which is this machine everywhere (RFC 6761).
    ///
    /// - Parameter text: an address without a port; with or without brackets, with or without a zone.
    public init?(_ text: some StringProtocol) {
        let host = text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") {
            self = .machine
            return
        }
        guard var bytes = Self.bytes(host) else { return nil }
        // An address of IPv4 inside one of IPv6: compatible, translated (NAT64), 6to4.
        if bytes.starts(with: Self.translated) || bytes[..<12].allSatisfy({ $0 == 0 }) && bytes[12] != 0 {
            bytes = Self.mapped + bytes[12...]
        } else if bytes.starts(with: [0x20, 0x02]) {
            bytes = Self.mapped + bytes[2..<6]
        }
        let block = Self.blocks.first { $0.contains(bytes) }
        // Of IPv6 only 2000::/3 is given out.
        let isGivenOut = bytes.starts(with: Self.mapped) || bytes[0] & 0xe0 == 0x20
        self = block?.reach ?? (isGivenOut ? .world : .none)
    }

    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    private static let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

    private struct Block {
        let bytes: [UInt8]
        let bits: Int
        let reach: AddressReach

        func contains(_ other: [UInt8]) -> Bool {
            zip(bytes, other).enumerated().allSatisfy { place, pair in
                let left = max(0, min(8, bits - 8 * place))
                return (pair.0 ^ pair.1) >> UInt8(8 - left) == 0
            }
        }
    }

    private static let blocks: [Block] = [
        ("0.0.0.0/8", .none), ("10.0.0.0/8", .site), ("100.64.0.0/10", .site), ("127.0.0.0/8", .machine),
        ("169.254.0.0/16", .link), ("172.16.0.0/12", .site), ("192.0.0.0/24", .none), ("192.0.2.0/24", .none),
        ("192.88.99.0/24", .none), ("192.168.0.0/16", .site), ("198.18.0.0/15", .site), ("198.51.100.0/24", .none),
        ("203.0.113.0/24", .none), ("224.0.0.0/4", .none), ("240.0.0.0/4", .none),
        ("::/128", .none), ("::1/128", .machine), ("64:ff9b:1::/48", .site), ("100::/64", .none), ("2001::/23", .none),
        ("2001:db8::/32", .none), ("3fff::/20", .none), ("5f00::/16", .none), ("fc00::/7", .site), ("fe80::/10", .link),
        ("fec0::/10", .site), ("ff00::/8", .none),
    ].compactMap { (text: String, reach: AddressReach) -> Block? in
        let parts = text.split(separator: "/")
        guard parts.count == 2, let bytes = bytes(String(parts[0])), let bits = Int(parts[1]) else { return nil }
        return Block(bytes: bytes, bits: bits + (bytes.starts(with: mapped) ? 96 : 0), reach: reach)
    }

    /// Sixteen; those of IPv4 have ``mapped`` before them.
    private static func bytes(_ text: String) -> [UInt8]? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return mapped + withUnsafeBytes(of: &four) { Array($0) } }
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return withUnsafeBytes(of: &six) { Array($0) }
    }
}
