// SPDX-License-Identifier: Apache-2.0

extension [Double] {
    /// Of an odd count the middle one, of an even count the mean of the two in the middle; nil of none.
    public var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
