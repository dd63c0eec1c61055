// SPDX-License-Identifier: Apache-2.0

extension SplitMix64 {
    /// Damages an encoded message once or twice: changes, removes or inserts a byte, or appends a second message.
    public mutating func damage(
        _ bytes: inout [UInt8], with message: (inout SplitMix64) throws -> [UInt8]
    ) rethrows {
        for _ in 0..<next() % 3 {
            let place = Int(next() % UInt64(max(1, bytes.count)))
            switch next() % 4 {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1 where bytes.count > 1: bytes.remove(at: place)
            case 2: bytes += try message(&self)
            default: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
            }
        }
    }
}
