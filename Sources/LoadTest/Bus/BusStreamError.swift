// SPDX-License-Identifier: Apache-2.0

/// The reason why a one-way test could not begin.
public enum BusStreamError: Error, Hashable, CustomStringConvertible {
    /// No message arrived within this many nanoseconds.
    case noWay(UInt64)
    /// The sender or receiver on the other thread has failed.
    case ended

    public var description: String {
        switch self {
        case .noWay(let time):
            "No message came through within \(time / 1_000_000_000) s: check that a proxy or a broker forwards from "
                + "one endpoint to the other."
        case .ended: "The other end of the test has failed."
        }
    }
}
