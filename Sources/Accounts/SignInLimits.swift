// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// Slows down the guessing of passwords without locking anybody out. Each query service has limits of its own, so that
/// a flood of attempts ends there, and storage has limits for all query services together. Times are milliseconds on
/// the monotonic clock.
///
/// The strictest of these limits counts:
/// - for a name from one address: after five wrong passwords, a pause that doubles each time, up to a minute;
/// - for an address: twenty attempts at once, then one every five seconds; a right password gives its attempt back;
/// - for a name: fifty attempts at once, then one every two seconds; a right password gives its attempt back;
/// - for right passwords: of a name thirty at once, then one every two seconds; of an address 200, then one a second.
///
/// Two kinds of sources have a limit of their own instead of the second and third limit: thirty attempts at once, then
/// one every two seconds. The first kind is a name that has signed in from the same address since the start. The second
/// kind is a client that proves with a key that it has signed in before. All such clients with the same name share one
/// pause and one limit, wherever they are, and strangers cannot use them up.
public struct SignInLimits: Sendable {
    /// The name with which somebody tries to sign in, and the address from which the attempt comes.
    public struct Source: Hashable, Sendable {
        let name: String
        /// A part of the network. All clients in it share its limits, and are served in turn with other addresses.
        public let address: String
        /// Whether a key proves that the owner of the account is asking.
        public let isProven: Bool

        /// - Parameters:
        ///   - name: the name of the account; case is ignored.
        ///   - address: the address of a network subscriber, not of each of the subscriber's machines.
        public init(name: String, address: String) {
            (self.name, self.address, isProven) = (name.lowercased(), address, false)
        }

        /// Makes the source of a client, at any address, that has proved that it has signed in before.
        public init(provenFor name: String) {
            self.name = name.lowercased()
            // No address begins with this character.
            (address, isProven) = ("\0" + self.name, true)
        }
    }

    private struct Failures {
        var count = 0
        var last: UInt64 = 0
    }

    /// The maximum number of entries in each table. When a table is full, its older half is forgotten.
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
    /// New accounts: of an address five at once, then five an hour; of all a hundred at once, then a hundred an hour.
    private var newOfAddress = TokenBuckets<String>(most: 5, every: 720_000)
    private var newOfAll = TokenBuckets<Int>(most: 100, every: 36_000)

    public init() {}

    /// Begins to make an account.
    ///
    /// - Returns: nil if it may be made; otherwise the milliseconds to wait.
    public mutating func beginSignUp(_ address: String, now: UInt64) -> UInt64? {
        let waits = [newOfAddress.wait(address, now: now), newOfAll.wait(0, now: now)]
        if let wait = waits.compactMap({ $0 }).max() { return wait }
        newOfAddress.take(address, now: now)
        newOfAll.take(0, now: now)
        return nil
    }

    /// Begins an attempt.
    ///
    /// - Returns: nil if the attempt may be made; otherwise the milliseconds to wait.
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

    /// The number of entries in all tables.
    public var entries: Int {
        failures.count + known.count + addresses.count + names.count + owners.count + rightNames.count
            + rightAddresses.count + newOfAddress.count
    }
}

extension AccountBook {
    /// Returns the source of an attempt to sign in.
    ///
    /// - Parameters:
    ///   - address: the address of ``SignInLimits/Source``.
    ///   - before: a key that the client has proved to have; nil if it has proved none. It counts only if it is or was
    ///     a key of this account.
    public func source(_ name: String, address: String, before: CurveKey?) -> SignInLimits.Source {
        guard let before, hasHad(before, name) else { return SignInLimits.Source(name: name, address: address) }
        return SignInLimits.Source(provenFor: name)
    }
}

extension ServiceError {
    /// - Parameter milliseconds: the time to wait.
    public static func tooManyAttempts(wait milliseconds: UInt64) -> ServiceError {
        ServiceError(
            .busy, "Too many attempts: try again in \((milliseconds + 999) / 1_000) s.",
            retryAfter: UInt32(clamping: milliseconds))
    }
}
