// SPDX-License-Identifier: Apache-2.0

/// A hash of answers, to tell whether one is still the same: 64 bits, sixteen bytes of the answer at a time.
///
/// SHA-256 of every answer took 8 % of the machine under load. Nobody who does not know the seed can make two answers
/// with the same hash, and nobody knows it: it is random, and it is another one in each process. So a client that asks
/// another process, or this service after a restart, gets the whole answer once more.
struct ContentHash: Sendable {
    static let process = ContentHash(seed: (.random(in: 0...UInt64.max), .random(in: 0...UInt64.max)))

    private let seed: (UInt64, UInt64)

    init(seed: (UInt64, UInt64)) { self.seed = seed }

    func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { raw in
            var hash = Self.mix(seed.0 ^ UInt64(raw.count), seed.1)
            var place = 0
            while place + 16 <= raw.count {
                // Both loads end within the 16 bytes that the condition names.
                let first = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let second = raw.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
                hash = Self.mix(first ^ seed.0, second ^ hash)
                place += 16
            }
            var rest: (UInt64, UInt64) = (0, 0)
            for byte in raw[place...] { rest = (rest.0 << 8 | rest.1 >> 56, rest.1 << 8 | UInt64(byte)) }
            return Self.mix(Self.mix(rest.0 ^ seed.0, rest.1 ^ hash), seed.1)
        }
    }

    /// The two halves of the product, folded: each bit of the factors reaches many of the result (wyhash does this).
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
