// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// The figures of several rounds: the median and the extremes.
struct Spread: Codable, Hashable {
    var median: Double
    var least: Double
    var greatest: Double

    /// Nil if there are no values.
    init?(_ values: [Double]) {
        guard let median = values.median, let least = values.min(), let greatest = values.max() else { return nil }
        (self.median, self.least, self.greatest) = (median, least, greatest)
    }

    /// A single figure that was not measured in rounds.
    init(_ value: Double) {
        (median, least, greatest) = (value, value, value)
    }
}
