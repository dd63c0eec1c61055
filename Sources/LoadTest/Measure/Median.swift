// SPDX-License-Identifier: Apache-2.0

extension [Double] {
    /// The middle value, or the mean of the two middle values if their count is even; nil if the array is empty.
    public var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
