// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The steps for reading all landmarks so that together they are the state at exactly one revision.
///
/// The steps are pure: the caller makes each request and reports the answer here. The pages of a snapshot have
/// different revisions, because storage keeps no read transaction open for a slow reader. So the changes since the
/// reading began are applied afterwards, and the last change of each landmark gives its final state. The result is
/// complete when all changes through the head of the last page are applied.
///
/// A caller that follows the feed makes only the requests of ``Step/page(after:)``. Its follower then begins at the
/// position of ``Step/changes(since:)``. See `Protocol.md`, part Keeping a replica.
public struct SnapshotReading: Sendable {
    /// The request to make next.
    public enum Step: Hashable, Sendable {
        /// Request the page of the snapshot after this cursor, which is empty for the first page. Report it with
        /// ``page(next:head:position:)``.
        case page(after: [UInt8])
        /// Request the page of the change log after this position. Report it with ``changes(through:run:)``.
        case changes(since: Position)
        /// Request nothing more: the landmarks are the state at this position.
        case complete(Position)
    }

    /// The reason why the reading cannot continue.
    public enum Failure: Error, Hashable, Sendable {
        /// The pages came from more than one run of storage, or from another history. The reading has to begin again.
        case storageRestarted
        /// A page of the log advanced nothing although the log continues, or a page of the snapshot led to itself.
        case stuck
    }

    public private(set) var step: Step
    /// The position at which the reading began. While the log is read, the position that was reached.
    public private(set) var position: Position
    private var head: UInt64 = 0
    /// The run of the storage that the pages come from; nil until a page names it.
    private var run: UUIDv7?

    /// - Parameter position: the service's position before the first page is requested.
    public init(from position: Position) {
        self.position = position
        step = .page(after: [])
    }

    /// Handles a page of the snapshot.
    ///
    /// - Parameters:
    ///   - next: the cursor of the next page; empty after the last page.
    ///   - head: the newest revision at the time when the page was read.
    ///   - answered: the position in the answer's header; nil if it had none.
    public mutating func page(
        next: [UInt8], head: UInt64, position answered: Position?
    ) throws(Failure) {
        guard case .page(let after) = step else { return }
        if let answered {
            guard answered.epoch == position.epoch, answered.run == nil || run == nil || answered.run == run else {
                throw .storageRestarted
            }
            run = run ?? answered.run
        }
        if !next.isEmpty, next == after { throw .stuck }
        self.head = head
        step = next.isEmpty ? .changes(since: position) : .page(after: next)
    }

    /// Handles a page of the change log, whose changes the caller has applied.
    ///
    /// - Parameters:
    ///   - through: the revision through which the log was read.
    ///   - run: the run of the storage that read the log; nil if unknown.
    public mutating func changes(through: UInt64, run: UUIDv7?) throws(Failure) {
        guard case .changes(let since) = step else { return }
        guard through > since.rev || through >= head else { throw .stuck }
        position = Position(epoch: since.epoch, rev: max(through, since.rev), run: run)
        step = through >= head ? .complete(position) : .changes(since: position)
    }
}

/// The pauses between attempts to read a snapshot, or the changes before it. Each pause is twice as long as the pause
/// before, up to 2 s.
public struct SnapshotPauses: Sendable {
    /// The number of pauses so far.
    public private(set) var count = 0
    private var pause = Duration.milliseconds(50)

    public init() {}

    /// - Parameter asked: the minimum pause in milliseconds that the service asks for. At most 10 s are granted.
    public mutating func next(asked: UInt32 = 0) -> Duration {
        defer { (count, pause) = (count + 1, min(pause * 2, .seconds(2))) }
        return max(pause, .milliseconds(min(Int64(asked), 10_000)))
    }
}
