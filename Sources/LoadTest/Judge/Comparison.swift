// SPDX-License-Identifier: Apache-2.0

/// A statistical comparison of repeated runs with earlier runs of the same case: how much they differ, how certainly.
///
/// The estimate is the median of the ratios of each later run to each earlier run (Hodges and Lehmann, 1963). Its
/// confidence interval is derived from the Mann-Whitney test (Hollander, Wolfe, Chicken: "Nonparametric Statistical
/// Methods", 6.4), with the exact distribution. The test assumes nothing about how the results of the runs are
/// distributed, so a single outlier among several runs has little effect, and it shows if there are too few runs.
public struct Comparison: Hashable, Sendable {
    public enum Verdict: String, Codable, Sendable { case better, worse, same, tooFew = "too_few" }

    /// The minimum number of runs in each group for which a 95 % confidence interval exists.
    public static let fewest = 4

    /// The median ratio of a later run to an earlier run.
    public let ratio: Double
    /// The confidence interval of the ratio, of at least 95 %; nil if there are too few runs.
    public let interval: ClosedRange<Double>?

    /// - Parameters:
    ///   - earlier: the figure in each of the earlier runs, greater than 0.
    ///   - later: the same figure in each of the later runs, greater than 0.
    /// - Returns: nil if a group has no runs, or if a figure is not positive and finite.
    public init?(earlier: [Double], later: [Double], atLeast wanted: Double = 0.95) {
        guard !earlier.isEmpty, !later.isEmpty, (earlier + later).allSatisfy({ $0 > 0 && $0.isFinite }) else {
            return nil
        }
        let ratios = later.flatMap { one in earlier.map { one / $0 } }.sorted()
        let middle = ratios.count / 2
        ratio = ratios.count % 2 == 1 ? ratios[middle] : (ratios[middle - 1] * ratios[middle]).squareRoot()
        // Find the greatest k for which both tails together have a probability of at most 1 - wanted.
        let tails = Self.tails(earlier.count, later.count)
        guard let k = tails.lastIndex(where: { 2 * $0 <= 1 - wanted }) else {
            interval = nil
            return
        }
        interval = ratios[k]...ratios[ratios.count - 1 - k]
    }

    public func verdict(isBetterHigher: Bool) -> Verdict {
        guard let interval else { return .tooFew }
        guard !interval.contains(1) else { return .same }
        return (ratio > 1) == isBetterHigher ? .better : .worse
    }

    /// Returns the share by which the figure has become worse; 0 if it has not, or if that is uncertain.
    public func regress(isBetterHigher: Bool) -> Double {
        guard verdict(isBetterHigher: isBetterHigher) == .worse else { return 0 }
        return isBetterHigher ? 1 - ratio : ratio - 1
    }

    /// Returns P(U ≤ u) for u = 0, 1, 2, … for two samples of these sizes from the same distribution.
    static func tails(_ one: Int, _ other: Int) -> [Double] {
        // counts[u] is the number of ways to choose `other` of the runs so that the statistic is u. This is the number
        // of partitions of u into at most `other` summands that are each at most `one`.
        let most = one * other
        var counts = [Double](repeating: 0, count: most + 1)
        counts[0] = 1
        for part in 1...other {
            // Compute the Gaussian binomial factor by factor: multiply by (1 - q^(one+part)), divide by (1 - q^part).
            for u in stride(from: most, through: 0, by: -1) where u >= one + part {
                counts[u] -= counts[u - one - part]
            }
            for u in 0...most where u >= part { counts[u] += counts[u - part] }
        }
        let all = counts.reduce(0, +)
        var sum = 0.0
        return counts.map { count in
            sum += count
            return sum / all
        }
    }
}

extension Sequence where Element: Equatable {
    /// The elements without repetitions, in the order of their first occurrences.
    public var distinct: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension [Double] {
    /// The middle value, or the mean of the two middle values if their count is even; nil if the array is empty.
    public var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
