// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An address of IPv4 or IPv6. IPv4 in its IPv6 form (`::ffff:1.2.3.4`) is the same address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Those of IPv6, also of an address of IPv4.
    package let bits: UInt128

    private init(bits: UInt128) { self.bits = bits }

    /// - Parameter four: the bits of an address of IPv4.
    package init(four: UInt32) { bits = 0xffff << 32 | UInt128(four) }

    /// Nil for a name, or for anything else.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        // A zone belongs to this machine alone: fe80::1%eth0.
        if let zone = text.firstIndex(of: "%") { text = String(text[..<zone]) }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = IPAddress(four: UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = IPAddress(bits: withUnsafeBytes(of: &six) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
        } else {
            return nil
        }
    }

    public var isFour: Bool { bits >> 32 == 0xffff }

    /// What limits by address count as one, for a text that may be none: an address of IPv4; of IPv6 the network of 64 bits,
    /// because each subscriber has at least one such, with addresses without end.
    public static func share(of text: String) -> String {
        guard let address = IPAddress(text) else { return text }
        return address.isFour ? address.description : address.network.description + "/64"
    }

    public var isLoopback: Bool { isFour ? bits >> 24 == 0xffff_7f : bits == 1 }

    /// What one client has for sure: the whole address of IPv4, and of IPv6 the first 64 bits, whose rest it may choose.
    public var network: IPAddress { isFour ? self : IPAddress(bits: (bits >> 64) << 64) }

    public var description: String {
        if isFour { return [24, 16, 8, 0].map { "\(bits >> $0 & 0xff)" }.joined(separator: ".") }
        var six = in6_addr()
        withUnsafeMutableBytes(of: &six) { $0.storeBytes(of: bits.bigEndian, as: UInt128.self) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress, inet_ntop(AF_INET6, &six, start, socklen_t(buffer.count)) != nil
            else { return "::" }
            return String(cString: start)
        }
    }

    /// Whether the first bits are those of another address.
    package func shares(_ count: Int, with other: IPAddress) -> Bool { (bits ^ other.bits) >> (128 - count) == 0 }
}
