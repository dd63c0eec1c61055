// SPDX-License-Identifier: Apache-2.0

extension Range<Int> {
    /// Returns the first number for which `isBefore` is false. All numbers for which it is true must come first.
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
