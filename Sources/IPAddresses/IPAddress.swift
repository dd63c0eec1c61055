// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An IPv4 or IPv6 address. An IPv4 address and its IPv6 form (`::ffff:1.2.3.4`) are equal.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as IPv6 bits, even if it is an IPv4 address.
    package let bits: UInt128

    private init(bits: UInt128) { self.bits = bits }

    /// - Parameter four: the bits of an IPv4 address.
    package init(four: UInt32) { bits = 0xffff << 32 | UInt128(four) }

    /// Reads a numeric address; nil if the text is a name, or anything else.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        // The zone, as in fe80::1%eth0, is dropped, because it has a meaning on this machine only.
        if let zone = text.utf8.firstIndex(of: UInt8(ascii: "%")) { text = String(text[..<zone]) }
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

    /// Returns the unit for limits by address: an IPv4 address, or the 64-bit network of an IPv6 address, because each
    /// subscriber has at least one such network, with countless addresses. Another text is returned unchanged.
    public static func share(of text: String) -> String {
        guard let address = IPAddress(text) else { return text }
        return address.isFour ? address.description : address.network.description + "/64"
    }

    public var isLoopback: Bool { isFour ? bits >> 24 == 0xffff_7f : bits == 1 }

    /// The part of the address that a client cannot choose: all of an IPv4 address, or the first 64 bits of IPv6.
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

    /// Whether the first `count` bits of both addresses are equal.
    package func shares(_ count: Int, with other: IPAddress) -> Bool { (bits ^ other.bits) >> (128 - count) == 0 }
}
