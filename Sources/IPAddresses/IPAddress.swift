// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An address of IPv4 or IPv6. IPv4 in its IPv6 form (`::ffff:1.2.3.4`) is the same address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
    /// Sixteen; those of IPv4 have ``mapped`` before them.
    package let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter four: the four bytes of an address of IPv4.
    package init(four: ArraySlice<UInt8>) { bytes = Self.mapped + four }

    /// Nil for a name, or for anything else.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        // A zone belongs to this machine alone: fe80::1%eth0.
        if let zone = text.firstIndex(of: "%") { text = String(text[..<zone]) }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = Self.mapped + withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    public var isFour: Bool { bytes.starts(with: Self.mapped) }

    /// What limits by address count as one, for a text that may be none: an address of IPv4; of IPv6 the network of 64 bits,
    /// because each subscriber has at least one such, with addresses without end.
    public static func share(of text: String) -> String {
        guard let address = IPAddress(text) else { return text }
        return address.isFour ? address.description : address.network.description + "/64"
    }

    public var isLoopback: Bool { isFour ? bytes[12] == 127 : bytes == Array(repeating: 0, count: 15) + [1] }

    /// What one client has for sure: the whole address of IPv4, and of IPv6 the first 64 bits, whose rest it may choose.
    public var network: IPAddress { isFour ? self : IPAddress(bytes: bytes[..<8] + Array(repeating: 0, count: 8)) }

    public var description: String {
        if isFour { return bytes[12...].map(String.init).joined(separator: ".") }
        var six = in6_addr()
        withUnsafeMutableBytes(of: &six) { $0.copyBytes(from: bytes) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress, inet_ntop(AF_INET6, &six, start, socklen_t(buffer.count)) != nil
            else { return "::" }
            return String(cString: start)
        }
    }

    /// Whether the first bits are those of another address.
    package func shares(_ bits: Int, with other: IPAddress) -> Bool {
        for (place, pair) in zip(bytes, other.bytes).enumerated() {
            let left = bits - 8 * place
            guard left > 0 else { break }
            let mask: UInt8 = left >= 8 ? 0xff : ~(0xff >> UInt8(left))
            if pair.0 & mask != pair.1 & mask { return false }
        }
        return true
    }
}
