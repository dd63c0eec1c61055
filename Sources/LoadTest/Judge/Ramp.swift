// SPDX-License-Identifier: Apache-2.0

/// Searches for the knee, the highest rate at which all assertions hold.
///
/// Doubles the rate until an assertion is violated, then repeatedly halves the interval (of the logarithms) until it is
/// small. A run that fails is repeated once, so that a short disturbance on the machine is not mistaken for the limit.
public struct Ramp: Sendable {
    /// The share by which the highest good rate and the lowest bad rate may differ when the search ends.
    private static let closeness = 0.05

    /// The highest rate at which all assertions held.
    public private(set) var best: Double?
    /// The lowest rate at which an assertion was violated.
    public private(set) var worst: Double?
    private var rate: Double
    private var isSecondTry = false
    private let most: Double

    /// - Parameter most: the highest rate to try, in operations per second.
    public init(from start: Double, most: Double = 10_000_000) { (rate, self.most) = (start, most) }

    /// The rate to try next; nil if the knee was found, or if even one operation per second is too much.
    public var next: Double? {
        if let best, let worst, worst / best <= 1 + Self.closeness { return nil }
        if let best, best >= most { return nil }
        return rate >= 1 ? rate : nil
    }

    /// Records whether all assertions held at the rate ``next``.
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
