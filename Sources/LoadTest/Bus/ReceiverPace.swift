// SPDX-License-Identifier: Apache-2.0

/// Slows a receiver down: it takes at most a share of the messages that were meant to be sent until now.
public struct ReceiverPace: Sendable {
    private let share: Double
    private let shape: LoadShape
    private var taken: UInt64 = 0

    /// - Parameter shape: an open loop.
    init(_ share: Double, of shape: LoadShape) {
        (self.share, self.shape) = (share, shape)
    }

    /// - Parameter begun: the time at which the run begins. Before it, the receiver takes everything.
    func mayTake(at now: UInt64, since begun: UInt64) -> Bool {
        guard now > begun, let pace = shape.pace else { return true }
        let seconds = Double(now - begun) / 1e9
        let intended = pace.firstRate * min(seconds, shape.warmUp) + pace.operations(until: seconds - shape.warmUp)
        return Double(taken) < share * intended
    }

    mutating func take() { taken += 1 }
}
