// SPDX-License-Identifier: Apache-2.0

/// Makes identifiers that only ever grow, also when many fall into one millisecond or the clock steps back.
///
/// Not copyable: two copies would make the same ones.
public struct UUIDv7Generator: ~Copyable, Sendable {
    private var milliseconds: UInt64 = 0
    private var counter: UInt64 = 0
    private var random = RandomWords()

    public init() {}

    /// The next identifier, greater than every one before it from this generator.
    ///
    /// - Parameter now: Unix time in milliseconds. Only a floor: within one millisecond a counter of 12 bits
    ///   (RFC 9562, 6.2, method 1) grows, and when it is full the millisecond is counted on.
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

    /// Goes on after `identifier`, so that ids given before a restart stay below those given after it.
    public mutating func resume(after identifier: UUIDv7) {
        let time = identifier.high >> 16
        guard time >= milliseconds else { return }
        milliseconds = time
        counter = identifier.high & 0xfff
    }
}
