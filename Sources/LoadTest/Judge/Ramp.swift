// SPDX-License-Identifier: Apache-2.0

/// Looks for the knee: the highest rate at which what is asserted still holds.
///
/// Doubles until it does not hold any more, then halves the distance (of the logarithms) until it is small. One run that
/// fails is tried once more, so that a hiccup of the machine is not taken for the limit.
public struct Ramp: Sendable {
    /// The highest rate at which everything held.
    public private(set) var best: Double?
    /// The lowest at which it did not.
    public private(set) var worst: Double?
    private var rate: Double
    private var isSecondTry = false
    private let closeness: Double
    private let most: Double

    /// - Parameters:
    ///   - start: operations a second.
    ///   - closeness: it ends when the two rates are no farther apart than this part.
    ///   - most: it never asks for more.
    public init(from start: Double, closeness: Double = 0.05, most: Double = 10_000_000) {
        rate = start
        self.closeness = closeness
        self.most = most
    }

    /// The rate to try now; nil: the knee is found, or even one operation a second is too much.
    public var next: Double? {
        if let best, let worst, worst / best <= 1 + closeness { return nil }
        if let best, best >= most { return nil }
        return rate >= 1 ? rate : nil
    }

    /// What the run at ``next`` came to.
    public mutating func tried(holds: Bool) {
        if !holds, !isSecondTry {
            isSecondTry = true
            return
        }
        isSecondTry = false
        if holds { best = max(best ?? 0, rate) } else { worst = min(worst ?? .infinity, rate) }
        switch (best, worst) {
        case (let best?, let worst?): rate = (best * worst).squareRoot()
        case (let best?, nil): rate = min(best * 2, most)
        case (nil, let worst?): rate = worst / 2
        case (nil, nil): break
        }
    }
}
