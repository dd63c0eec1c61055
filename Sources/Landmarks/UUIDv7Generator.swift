// SPDX-License-Identifier: Apache-2.0

/// Makes ids in ascending order, even within one millisecond or after the clock was set back.
///
/// The type is not copyable, because two copies would make the same ids.
public struct UUIDv7Generator: ~Copyable, Sendable {
    private var milliseconds: UInt64 = 0
    private var counter: UInt64 = 0
    private var random = RandomWords()

    public init() {}

    /// Makes the next id, which is greater than all earlier ids of this generator.
    ///
    /// - Parameter now: the Unix time in milliseconds. The id's time is never lower. Within a millisecond a 12-bit
    ///   counter grows (RFC 9562, 6.2, method 1); when it overflows, the id gets the next millisecond.
    public mutating func next(now: UInt64) -> UUIDv7 {
        if now > milliseconds {
            milliseconds = now
            counter = random.next() & 0x7ff
        } else {
            counter += 1
            if counter > 0xfff {
                milliseconds += 1
                counter = 0
            }
        }
        let high = (milliseconds & 0xffff_ffff_ffff) << 16 | 0x7000 | counter
        let low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        return UUIDv7(high: high, low: low)
    }

    /// Continues after `identifier`, so that ids made after a restart are greater than ids made before.
    public mutating func resume(after identifier: UUIDv7) {
        let time = identifier.high >> 16
        guard time >= milliseconds else { return }
        milliseconds = time
        counter = identifier.high & 0xfff
    }
}
