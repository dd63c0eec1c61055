// SPDX-License-Identifier: Apache-2.0

/// Slows a receiver down: it takes at most a share of the messages that were meant to be sent until now.
struct ReceiverPace {
    private let share: Double
    private let shape: LoadShape
    /// The time at which the run began; nil before and after the run, when the receiver takes everything.
    private var begun: UInt64?
    private var taken: UInt64 = 0

    /// - Parameters:
    ///   - share: the share of all messages of the run.
    ///   - shape: an open loop.
    init(_ share: Double, of shape: LoadShape) {
        (self.share, self.shape) = (share, shape)
    }

    mutating func begin(at time: UInt64) { begun = time }

    /// Ends the slowness, so that the run does not wait until a long queue has been received slowly.
    mutating func end() { begun = nil }

    func mayTake(at now: UInt64) -> Bool {
        guard let begun else { return true }
        return Double(taken) < share * shape.intended(until: Double(now - min(now, begun)) / 1e9)
    }

    mutating func take() { taken += 1 }
}

extension LoadShape {
    /// Returns the number of operations that are meant to be sent in the first seconds of a run, including the warm-up;
    /// infinite in a closed loop.
    func intended(until seconds: Double) -> Double {
        guard let pace else { return .infinity }
        return pace.firstRate * min(seconds, warmUp) + pace.operations(until: seconds - warmUp)
    }
}
