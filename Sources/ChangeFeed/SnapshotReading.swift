// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The steps for reading all landmarks so that together they are the state at exactly one revision.
///
/// The steps are pure: the caller makes each request and reports the answer here. The pages of a snapshot have
/// different revisions, because storage keeps no read transaction open for a slow reader. So the changes since the
/// reading began are applied afterwards: the last change of each landmark gives its final state. The result is complete
/// when everything through the head of the last page is applied.
///
/// A caller that follows the feed anyway makes the requests of ``Step/page(after:)`` only. Its follower then begins at
/// the position of ``Step/changes(since:)``. See `Protocol.md`, part Keeping a replica.
public struct SnapshotReading: Sendable {
    /// The request to make next.
    public enum Step: Hashable, Sendable {
        /// A page of the snapshot, after this cursor; empty for the first page. Report it with
        /// ``page(next:head:position:)``.
        case page(after: [UInt8])
        /// A page of the change log after this position. Report it with ``changes(through:run:)``.
        case changes(since: Position)
        /// No request: the landmarks are the state at this position.
        case complete(Position)
    }

    /// The reason why the reading cannot continue.
    public enum Failure: Error, Hashable, Sendable {
        /// The pages came from more than one run of storage, or from another history: begin again.
        case storageRestarted
        /// A page of the log brought nothing although the log continues, or a page of the snapshot led to itself.
        case stuck
    }

    public private(set) var step: Step
    /// The position at which the reading began; while the log is read, the position reached.
    public private(set) var position: Position
    private var head: UInt64 = 0
    /// The run of storage that the pages come from; nil until a page names one.
    private var run: UUIDv7?

    /// - Parameter position: the position of the service before the first page is requested.
    public init(from position: Position) {
        self.position = position
        step = .page(after: [])
    }

    /// Handles a page of the snapshot.
    ///
    /// - Parameters:
    ///   - next: the cursor of the next page; empty after the last one.
    ///   - head: the newest revision when the page was read.
    ///   - answered: the position in the header of the answer, if it had one.
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

    /// Handles a page of the change log, after its changes were applied.
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

/// The pauses between attempts to read a snapshot: each is twice as long as the one before.
public struct SnapshotPauses: Sendable {
    /// The number of pauses so far.
    public private(set) var count = 0
    private var pause = Duration.milliseconds(50)

    public init() {}

    /// - Parameter asked: the least pause in milliseconds that the service asks for. At most 10 s of it are granted.
    public mutating func next(asked: UInt32 = 0) -> Duration {
        defer { (count, pause) = (count + 1, min(pause * 2, .seconds(2))) }
        return max(pause, .milliseconds(min(Int64(asked), 10_000)))
    }
}
