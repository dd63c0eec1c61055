// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// Slows guessing down without locking anybody out. Each query service has limits, so that a flood ends there, and storage
/// has some for all of them. Pure; times are monotonic milliseconds.
///
/// The strictest counts:
/// - for a name from one address: after five wrong passwords a pause that doubles, up to a minute;
/// - for an address: twenty attempts at once, then one in five seconds; a right password gives its attempt back;
/// - for a name: fifty at once, then one in two seconds; likewise;
/// - right passwords of a name: thirty at once, then one in two seconds; of an address: two hundred, then one a second.
///
/// Two have a way of their own, of thirty attempts at once and then one in two seconds, instead of the second and the third:
/// a name that has signed in from the same address since the start, and whoever proves to have been in before. The latter's
/// pause is that of all who prove it for this name, and no address counts: strangers can empty nothing of theirs.
public struct SignInLimits: Sendable {
    /// Who tries, and from where.
    public struct Source: Hashable, Sendable {
        let name: String
        /// A share of the network: those in it share its limits, and take turns with others.
        public let address: String
        /// Whether a key shows that the account's owner asks.
        public let isProven: Bool

        /// - Parameters:
        ///   - name: case does not count.
        ///   - address: that of one subscriber, not of each of his machines.
        public init(name: String, address: String) {
            (self.name, self.address, isProven) = (name.lowercased(), address, false)
        }

        /// Somebody who has been in before, wherever he is now.
        public init(provenFor name: String) {
            self.name = name.lowercased()
            // No address has this character.
            (address, isProven) = ("\0" + self.name, true)
        }
    }

    private struct Failures {
        var count = 0
        var last: UInt64 = 0
    }

    /// The most entries of each table. When one is full the oldest half is forgotten.
    private static let most = 10_000
    private static let free = 5
    private static let longest: UInt64 = 60_000

    private var failures: [Source: Failures] = [:]
    private var addresses = TokenBuckets<String>(most: 20, every: 5_000)
    private var names = TokenBuckets<String>(most: 50, every: 2_000)
    private var owners = TokenBuckets<Source>(most: 30, every: 2_000)
    private var rightNames = TokenBuckets<String>(most: 30, every: 2_000)
    private var rightAddresses = TokenBuckets<String>(most: 200, every: 1_000)
    private var known: [Source: UInt64] = [:]

    public init() {}

    /// Begins an attempt.
    ///
    /// - Returns: nil if it may be made, else how many milliseconds to wait.
    public mutating func begin(_ source: Source, now: UInt64) -> UInt64? {
        if let failed = failures[source], failed.count >= Self.free {
            let pause = min(Self.longest, 1_000 << UInt64(min(failed.count - Self.free, 6)))
            if now < failed.last + pause { return failed.last + pause - now }
        }
        let hasOwnWay = source.isProven || known[source] != nil
        var waits = [rightNames.wait(source.name, now: now), rightAddresses.wait(source.address, now: now)]
        if hasOwnWay {
            waits.append(owners.wait(source, now: now))
        } else {
            waits += [addresses.wait(source.address, now: now), names.wait(source.name, now: now)]
        }
        if let wait = waits.compactMap({ $0 }).max() { return wait }
        if hasOwnWay {
            owners.take(source, now: now)
        } else {
            addresses.take(source.address, now: now)
            names.take(source.name, now: now)
        }
        return nil
    }

    public mutating func failed(_ source: Source, now: UInt64) {
        if failures.count >= Self.most { failures.keepNewest { $0.last } }
        failures[source, default: Failures()].count += 1
        failures[source]?.last = now
    }

    public mutating func succeeded(_ source: Source, now: UInt64) {
        failures[source] = nil
        rightNames.take(source.name, now: now)
        rightAddresses.take(source.address, now: now)
        guard !source.isProven else { return }
        if known.count >= Self.most { known.keepNewest { $0 } }
        guard known.updateValue(now, forKey: source) == nil else { return }
        addresses.giveBack(source.address)
        names.giveBack(source.name)
    }

    /// How much is remembered.
    public var entries: Int {
        failures.count + known.count + addresses.count + names.count + owners.count + rightNames.count
            + rightAddresses.count
    }
}

extension AccountBook {
    /// Who tries to sign in.
    ///
    /// - Parameters:
    ///   - address: as ``SignInLimits/Source`` has it.
    ///   - before: a key that the client has, which counts if it is or was one of this account; nil: none.
    public func source(_ name: String, address: String, before: CurveKey?) -> SignInLimits.Source {
        guard let before, hasHad(before, name) else { return SignInLimits.Source(name: name, address: address) }
        return SignInLimits.Source(provenFor: name)
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
