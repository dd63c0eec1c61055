// SPDX-License-Identifier: Apache-2.0

/// Finds the revision at which the newest matching changes begin, by examining stretches of the log from its end.
///
/// The feed then prints all changes after this revision, older and live ones in the same way, so that no change is
/// missing or repeated.
struct NewestSearch {
    /// The maximum number of changes that are examined, even if few of them match.
    static let most: UInt64 = 200_000
    private static let stretches: ClosedRange<UInt64> = 1_000...20_000

    /// The revision just before the newest matching changes.
    private(set) var start: UInt64
    /// The revision after which all changes were examined.
    private var reached: UInt64
    private(set) var found = 0
    let wanted: Int
    private let end: UInt64
    /// The revision just before the oldest change in the log.
    private var bottom: UInt64
    private var length = stretches.lowerBound

    /// - Parameters:
    ///   - end: the last revision to consider.
    ///   - floor: the revision of the oldest change in the log.
    init(_ wanted: Int, through end: UInt64, floor: UInt64) {
        (self.wanted, self.end, start, reached) = (wanted, end, end, end)
        bottom = min(max(floor, 1) - 1, end)
    }

    var examined: UInt64 { end - reached }
    /// Whether fewer changes were found than wanted because the log has no older changes.
    var isAtBottom: Bool { found < wanted && reached == bottom }

    /// The revisions to examine next: greater than `after`, up to and including `through`. Nil if the search is over.
    var stretch: (after: UInt64, through: UInt64)? {
        guard found < wanted, reached > bottom, examined < Self.most else { return nil }
        let length = min(length, Self.most - examined)
        return (max(bottom, reached - min(length, reached)), reached)
    }

    /// - Parameter matches: the revisions in the stretch that match, in order.
    mutating func apply(_ matches: [UInt64], after: UInt64) {
        let missing = wanted - found
        if let oldest = matches.suffix(missing).first { start = oldest - min(1, oldest) }
        found += min(missing, matches.count)
        reached = after
        length = min(length * 2, Self.stretches.upperBound)
    }

    /// Finishes a search without a filter. Every change matches, so none has to be examined.
    mutating func matchAll() {
        let count = min(UInt64(wanted), end - bottom)
        (found, start, reached) = (Int(count), end - count, end - count)
    }

    /// Raises the floor because the log was compacted during the search.
    ///
    /// - Returns: false if the search already knew this floor, so that another attempt would fail, too.
    mutating func raise(floor: UInt64) -> Bool {
        let raised = min(max(floor, 1) - 1, end)
        guard raised > bottom else { return false }
        bottom = raised
        (start, reached) = (max(start, bottom), max(reached, bottom))
        return true
    }
}
