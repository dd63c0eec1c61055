// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// What a relay does: it follows storage's feed of everything, and publishes each change again for many subscribers. Pure:
/// what its follower reports goes in, what its publisher has to do comes out.
///
/// ```
///  storage --- FeedReceiver ---> Relay ---> FeedNumbering, feeds ---> subscribers' FeedReceivers
///     ^                            |
///     |        changes since R     v
///     +-------- older ones ---- RelayLog <--- changes since R
/// ```
///
/// A message of a relay bears:
///
/// - `epoch`, `rev` and the change's bytes as storage made them;
/// - `run`: storage's, as the relay's own position has it. It becomes part of the subscribers' positions, which storage
///   checks, and which are as good at storage or at another relay as here;
/// - `n`: the relay's own count, which begins at a random number with every *stretch*. A stretch is an uninterrupted row
///   of revisions that the relay has published. So a relay that was restarted, or had to load its replica anew, looks to
///   its subscribers like a gap: each asks for what follows its position, and nothing is proved that is not so;
/// - `floor`: storage's.
///
/// A storage that was restarted has another run, and the relay hands that on. Its subscribers ask the relay whether the new
/// run's history contains their position. ``RelayLog`` answers that, because the relay's own position was found there.
///
/// Beacons prove the whole way: a relay that hears nothing from storage sends none, so its subscribers notice too.
public struct Relay: Sendable {
    /// What the publisher has to do, in this order.
    public enum Step: Hashable, Sendable {
        /// A stretch begins: all feeds count from here.
        case begin(FeedNumbering)
        /// Storage has another run and the same history.
        case goOn(in: UUIDv7)
        /// Publish the change at hand.
        case publish
    }

    private let bounds: RelayLog.Bounds
    private let firstNumber: @Sendable () -> UInt64
    private var isLost = false
    /// The recent changes of this stretch; nil while there is none.
    public private(set) var log: RelayLog?
    /// How many stretches have begun.
    public private(set) var stretches: UInt64 = 0

    /// - Parameter firstNumber: the number before the first one of a stretch. Only simulations give another one.
    public init(
        bounds: RelayLog.Bounds = RelayLog.Bounds(),
        firstNumber: @escaping @Sendable () -> UInt64 = { FeedNumbering.ofOwn() }
    ) {
        (self.bounds, self.firstNumber) = (bounds, firstNumber)
    }

    /// Whether no beacon may be sent: nothing is followed, or nothing arrives from storage.
    public var isSilent: Bool { log == nil || isLost }

    /// Following begins at this position.
    ///
    /// - Parameters:
    ///   - run: the run of storage that reported the position.
    ///   - floor: the oldest revision that storage keeps.
    public mutating func began(at position: Position, run: UUIDv7, floor: UInt64) -> [Step] {
        isLost = false
        return [begin(after: position.rev, position.epoch, run, floor)]
    }

    /// The follower has handed on a change.
    ///
    /// - Parameters:
    ///   - run: that of the follower's position; nil where storage does not say.
    ///   - bytes: the encoded change.
    public mutating func took(_ rev: UInt64, in run: UUIDv7?, floor: UInt64, bytes: [UInt8]) -> [Step] {
        guard let log, rev > log.head else { return [] }
        var steps: [Step]
        if rev == log.head + 1 {
            steps = reached(in: run, floor: floor)
        } else {
            // Revisions are dense, so this follower has left something out. It must not look as if nothing was missing.
            steps = [begin(after: rev - 1, log.epoch, run ?? log.run, floor)]
        }
        self.log?.append(bytes)
        steps.append(.publish)
        return steps
    }

    /// The follower has handed on everything up to its position, which is of this run.
    public mutating func reached(in run: UUIDv7?, floor: UInt64) -> [Step] {
        guard let log, let run, run != log.run else { return [] }
        if self.log?.goesOn(in: run) == true { return [.goOn(in: run)] }
        return [begin(after: log.head, log.epoch, run, floor)]
    }

    /// The changes before the stretch were read from storage's log.
    ///
    /// - Parameter stretch: the value of ``stretches`` when they were asked for.
    public mutating func filled(
        _ older: [[UInt8]], through: UInt64, run: UUIDv7?, stretch: UInt64
    ) {
        guard stretch == stretches else { return }
        log?.prepend(older, through: through, run: run)
    }

    /// Nothing arrives from storage.
    public mutating func lost() { isLost = true }

    /// Everything that was missed was handed on.
    public mutating func resumed() { isLost = false }

    /// Nothing is followed any more.
    public mutating func ended() { log = nil }

    private mutating func begin(after rev: UInt64, _ epoch: UUIDv7, _ run: UUIDv7, _ floor: UInt64) -> Step {
        log = RelayLog(after: rev, epoch: epoch, run: run, bounds: bounds)
        stretches += 1
        return .begin(FeedNumbering(epoch: epoch, run: run, head: rev, floor: floor, count: firstNumber()))
    }
}
