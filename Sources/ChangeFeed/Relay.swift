// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The logic of a relay, which follows storage's feed without a filter and publishes each change again for many
/// subscribers. Pure: the follower's reports go in, and steps for the publisher come out.
///
/// ```
///  storage --- FeedReceiver ---> Relay ---> FeedNumbering, feeds ---> subscribers' FeedReceivers
///     ^                            |
///     |        changes since R     v
///     +-------- older ones ---- RelayLog <--- changes since R
/// ```
///
/// A message of a relay carries:
///
/// - `epoch`, `rev` and the change's bytes as storage made them;
/// - `run`: storage's run, as in the relay's own position. It becomes part of the subscribers' positions, which storage
///   checks. So these positions are also valid at storage and at other relays;
/// - `n`: the relay's own count, which begins at a random number with every *stretch*: an uninterrupted sequence of
///   revisions that the relay has published. So subscribers take a relay that was restarted, or had to load its replica
///   again, for a gap. Each of them requests the changes after its position, and nothing false is proved;
/// - `floor`: storage's floor.
///
/// A restarted storage has another run, which the relay passes on. The subscribers ask the relay whether the new run's
/// history contains their positions. ``RelayLog`` can tell, because the relay's own position was found there.
///
/// Beacons prove the whole path: a relay that receives nothing from storage sends none, so its subscribers notice it.
public struct Relay: Sendable {
    /// A step for the publisher. Several steps must be carried out in order.
    public enum Step: Hashable, Sendable {
        /// A stretch begins, and all feeds count from here.
        case begin(FeedNumbering)
        /// Storage has another run and the same history.
        case resume(in: UUIDv7)
        /// Publish the current change.
        case publish
    }

    private let bounds: RelayLog.Bounds
    private let firstNumber: @Sendable () -> UInt64
    private var isLost = false
    /// The recent changes of this stretch; nil if nothing is followed.
    public private(set) var log: RelayLog?
    /// The number of stretches so far.
    public private(set) var stretches: UInt64 = 0

    /// - Parameter firstNumber: returns the number before the first number of a stretch. Only simulations override it.
    public init(
        bounds: RelayLog.Bounds = RelayLog.Bounds(),
        firstNumber: @escaping @Sendable () -> UInt64 = { FeedNumbering.ofOwn() }
    ) {
        (self.bounds, self.firstNumber) = (bounds, firstNumber)
    }

    /// Whether no beacon may be sent, because nothing is followed or nothing arrives from storage.
    public var isSilent: Bool { log == nil || isLost }

    /// Begins a stretch, because the follower begins at this position.
    ///
    /// - Parameters:
    ///   - run: the run of storage that reported the position.
    ///   - floor: the oldest revision that storage keeps.
    public mutating func began(at position: Position, run: UUIDv7, floor: UInt64) -> [Step] {
        isLost = false
        return [begin(after: position.rev, position.epoch, run, floor)]
    }

    /// Handles a change that the follower has handed on.
    ///
    /// - Parameters:
    ///   - run: the run of the follower's position; nil if storage did not report it.
    ///   - bytes: the encoded change.
    public mutating func took(_ rev: UInt64, in run: UUIDv7?, floor: UInt64, bytes: [UInt8]) -> [Step] {
        guard let log, rev > log.head else { return [] }
        var steps: [Step]
        if rev == log.head + 1 {
            steps = reached(in: run, floor: floor)
        } else {
            // Revisions have no gaps, so the follower has skipped some. A new stretch shows this to subscribers.
            steps = [begin(after: rev - 1, log.epoch, run ?? log.run, floor)]
        }
        self.log?.append(bytes)
        steps.append(.publish)
        return steps
    }

    /// Records that the follower has handed on everything up to its position, which belongs to this run.
    public mutating func reached(in run: UUIDv7?, floor: UInt64) -> [Step] {
        guard let log, let run, run != log.run else { return [] }
        if self.log?.resume(in: run) == true { return [.resume(in: run)] }
        return [begin(after: log.head, log.epoch, run, floor)]
    }

    /// Adds changes before the stretch, which were read from storage's log.
    ///
    /// - Parameter stretch: the value of ``stretches`` when the changes were requested.
    public mutating func filled(
        _ older: [[UInt8]], through: UInt64, run: UUIDv7?, stretch: UInt64
    ) {
        guard stretch == stretches else { return }
        log?.prepend(older, through: through, run: run)
    }

    /// Records that nothing arrives from storage.
    public mutating func lost() { isLost = true }

    /// Records that all missed changes have been handed on.
    public mutating func resumed() { isLost = false }

    /// Records that no feed is followed any more.
    public mutating func ended() { log = nil }

    private mutating func begin(after rev: UInt64, _ epoch: UUIDv7, _ run: UUIDv7, _ floor: UInt64) -> Step {
        log = RelayLog(after: rev, epoch: epoch, run: run, bounds: bounds)
        stretches += 1
        return .begin(FeedNumbering(epoch: epoch, run: run, head: rev, floor: floor, count: firstNumber()))
    }
}
