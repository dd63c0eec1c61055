// SPDX-License-Identifier: Apache-2.0

/// A block of addresses, such as `10.0.0.0/8`, or a single address.
public struct AddressBlock: Sendable, Hashable {
    private let address: IPAddress
    /// The number of leading bits, of the IPv6 form, that the addresses of the block share.
    private let bits: Int

    /// Reads an address, or an address, a slash and a number of bits. Nil for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let most = address.isFour ? 32 : 128
        guard let bits = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(bits) else { return nil }
        (self.address, self.bits) = (address, bits + 128 - most)
    }

    public func contains(_ other: IPAddress) -> Bool { other.shares(bits, with: address) }
}
