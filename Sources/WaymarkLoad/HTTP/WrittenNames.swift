// SPDX-License-Identifier: Apache-2.0

/// The names of the landmarks that one run writes. Each ends with the number of the write, a blank and the run's word.
public struct WrittenNames: Sendable {
    private let suffix: [UInt8]

    public init(run: String) { suffix = Array(" \(run)".utf8) }

    /// Returns the number in a name; nil if the run did not write it.
    func number(in name: some BidirectionalCollection<UInt8>) -> UInt64? {
        guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        var (number, factor): (UInt64, UInt64) = (0, 1)
        for byte in name.dropLast(suffix.count).suffix(18).reversed() {
            guard (48...57).contains(byte) else { break }
            number += UInt64(byte - 48) * factor
            factor *= 10
        }
        return number > 0 ? number : nil
    }
}
