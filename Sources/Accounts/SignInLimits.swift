// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Slows guessing down without locking anybody out. Each query service has limits, so that a flood ends there, and storage
/// has some for all of them. Pure; times are monotonic milliseconds.
///
/// Three limits, of which the strictest counts:
/// - for a name from one address: after five wrong passwords a pause that doubles, up to a minute;
/// - for an address: twenty attempts at once, then one in five seconds;
/// - for a name: fifty at once, then one in two seconds.
///
/// The last two do not count for a name that has signed in from the same address since the start, so that guessing from
/// elsewhere, or behind the same proxy, does not keep its owner out. A right password costs nothing: a class behind one
/// address signs in at once.
public struct SignInLimits: Sendable {
    /// Who tries, and from where.
    public struct Source: Hashable, Sendable {
        var name: String
        var address: String

        /// - Parameter name: case does not count.
        public init(name: String, address: String) { (self.name, self.address) = (name.lowercased(), address) }
    }

    private struct Failures {
        var count = 0
        var last: UInt64 = 0
    }

    /// The most entries of each table. When one is full the oldest half is forgotten.
    private static let most = 10_000
    private static let free = 5
    private static let longest: UInt64 = 60_000
    private static let (addressMost, addressEvery) = (20.0, 5_000.0)
    private static let (nameMost, nameEvery) = (50.0, 2_000.0)

    private var failures: [Source: Failures] = [:]
    private var addresses: [String: TokenBucket] = [:]
    private var names: [String: TokenBucket] = [:]
    private var known: [Source: UInt64] = [:]

    public init() {}

    /// Begins an attempt.
    ///
    /// - Returns: nil if it may be made, else how many milliseconds to wait.
    public mutating func begin(_ source: Source, now: UInt64) -> UInt64? {
        makeRoom()
        if let failed = failures[source], failed.count >= Self.free {
            let pause = min(Self.longest, 1_000 << UInt64(min(failed.count - Self.free, 6)))
            if now < failed.last + pause { return failed.last + pause - now }
        }
        var address = addresses[source.address] ?? TokenBucket(level: Self.addressMost, filled: now)
        address.fill(now, most: Self.addressMost, every: Self.addressEvery)
        var name = names[source.name] ?? TokenBucket(level: Self.nameMost, filled: now)
        name.fill(now, most: Self.nameMost, every: Self.nameEvery)
        let isKnown = known[source] != nil
        defer { (addresses[source.address], names[source.name]) = (address, name) }
        guard !isKnown else { return nil }
        guard address.level >= 1 else { return UInt64((1 - address.level) * Self.addressEvery) + 1 }
        guard name.level >= 1 else { return UInt64((1 - name.level) * Self.nameEvery) + 1 }
        address.level -= 1
        name.level -= 1
        return nil
    }

    public mutating func failed(_ source: Source, now: UInt64) {
        failures[source, default: Failures()].count += 1
        failures[source]?.last = now
    }

    public mutating func succeeded(_ source: Source, now: UInt64) {
        failures[source] = nil
        if known.updateValue(now, forKey: source) == nil {
            addresses[source.address]?.level += 1
            names[source.name]?.level += 1
        }
    }

    /// How much is remembered.
    public var entries: Int { failures.count + addresses.count + names.count + known.count }

    private mutating func makeRoom() {
        if failures.count >= Self.most { failures.keepNewest { $0.last } }
        if addresses.count >= Self.most { addresses.keepNewest { $0.filled } }
        if names.count >= Self.most { names.keepNewest { $0.filled } }
        if known.count >= Self.most { known.keepNewest { $0 } }
    }
}

extension ServiceError {
    /// - Parameter milliseconds: how long to wait.
    public static func tooManyAttempts(wait milliseconds: UInt64) -> ServiceError {
        ServiceError(
            .busy, "Too many attempts: try again in \((milliseconds + 999) / 1_000) s.",
            retryAfter: UInt32(clamping: milliseconds))
    }
}
