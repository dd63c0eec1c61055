// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// The state of a client that callers use on their own threads, under a lock: their requests need no turn of the
/// client's loop before they are handed over to it.
struct RequestDesk: Sendable {
    /// A step for the client's loop.
    enum Step: Sendable {
        case submit(RequestHeader, [UInt8], version: UInt8?, milliseconds: UInt64, Asker)
        case cancel(RequestKey)
    }

    typealias Asker = CheckedContinuation<ChannelOutcome, Never>

    private var numbers = RequestNumbers()
    /// The position of this client's latest write. The client's reads request this position or a later one.
    var written: Position?
    /// The steps that the loop has not taken yet, in order.
    private var steps: [Step] = []

    /// Returns the key of the next request, and the position of the latest write.
    mutating func next() -> (RequestKey, Position?) { (numbers.next(), written) }

    /// Returns `position`, or the position of this client's last write if that is later and in the same history.
    func latest(_ position: Position) -> Position {
        guard let written, written.epoch == position.epoch, written.rev > position.rev else { return position }
        return written
    }

    /// Hands a step over to the loop.
    ///
    /// - Returns: whether the loop has to be told. If earlier steps wait, it was told already.
    mutating func put(_ step: Step) -> Bool {
        steps.append(step)
        return steps.count == 1
    }

    mutating func takeSteps() -> [Step] {
        defer { steps = [] }
        return steps
    }
}
