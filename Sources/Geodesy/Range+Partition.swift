// SPDX-License-Identifier: Apache-2.0

extension Range<Int> {
    /// The first number that is not before a place in some order; all that are come first.
    @inlinable
    package func partition(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
