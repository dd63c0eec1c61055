// SPDX-License-Identifier: Apache-2.0

/// The reason why a one-way test could not begin.
public enum BusStreamError: Error, Hashable, CustomStringConvertible {
    /// No message arrived within this many nanoseconds; perhaps because the high-water mark is less than the topics.
    case noWay(UInt64, isCrowded: Bool)
    /// The sender or receiver on the other thread has failed.
    case ended

    public var description: String {
        switch self {
        case .noWay(let time, true):
            "Not all topics had a message within \(time / 1_000_000_000) s, because a queue holds fewer messages than "
                + "there are topics: give a greater --hwm (without --rate a greater --window), or fewer --topics."
        case .noWay(let time, false):
            "No message came through within \(time / 1_000_000_000) s: check that a proxy or a broker forwards from "
                + "one endpoint to the other."
        case .ended: "The other end of the test has failed."
        }
    }
}
