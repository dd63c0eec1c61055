// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

/// The state of a client that callers use on their own threads, under a lock: their requests need no turn of the
/// client's loop before they are handed over to it.
struct RequestDesk: Sendable {
    /// A step for the client's loop.
    enum Step: Sendable {
        // Indirect, because a step is passed on several times.
        indirect case submit(RequestHeader, [UInt8], version: UInt8?, milliseconds: UInt64, Asker)
        case cancel(RequestKey)
    }

    // Unsafe, and yet resumed exactly once: by the completion of `RequestChannel.submit`, which is called once, or, if
    // the client was closed before, by the only turn of the loop that takes its step. A checked one has no fixed size,
    // so that each copy of a step asks for its type.
    typealias Asker = UnsafeContinuation<ChannelOutcome, Never>

    private var numbers = RequestNumbers()
    /// The position of this client's latest write. The client's reads request this position or a later one.
    var written: Position?
    var isClosed = false
    var turns = RequestTurns()
    /// The steps that the loop has not taken yet, in order.
    private var steps: [Step] = []
    /// Whether the loop was told that steps wait.
    private var isTold = false
    /// The number of tasks that the last answers woke together, without those that have asked again.
    private var awakened = 0
    /// Whether a task lets the others that were woken with it ask first, and then tells the loop.
    private var isGathering = false
    /// The number of steps at which the loop is told without waiting for more.
    private static let most = 32

    /// Returns the key of the next request, and the position of the latest write.
    mutating func next() -> (RequestKey, Position?) { (numbers.next(), written) }

    /// Returns `position`, or the position of this client's last write if that is later and in the same history.
    func latest(_ position: Position) -> Position {
        guard let written, written.epoch == position.epoch, written.rev > position.rev else { return position }
        return written
    }

    /// Records that so many answers wake tasks together.
    mutating func awaken(_ count: Int) { awakened = count }

    /// Returns whether the caller has to gather: to yield to the tasks that were woken with it, so that their requests
    /// are sent together.
    mutating func gathers() -> Bool {
        awakened = max(0, awakened - 1)
        guard awakened > 0, !isGathering, !isTold else { return false }
        isGathering = true
        return true
    }

    /// Hands a step over to the loop.
    ///
    /// - Parameter hasGathered: whether the caller has gathered.
    /// - Returns: whether the loop has to be told.
    mutating func put(_ step: Step, hasGathered: Bool = false) -> Bool {
        steps.append(step)
        if hasGathered { isGathering = false }
        let mayWait = if case .submit = step { isGathering && steps.count < Self.most } else { false }
        guard !isTold, !mayWait else { return false }
        isTold = true
        return true
    }

    mutating func takeSteps() -> [Step] {
        defer { (steps, isTold) = ([], false) }
        return steps
    }
}
