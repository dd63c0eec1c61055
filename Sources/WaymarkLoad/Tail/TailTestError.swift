// SPDX-License-Identifier: Apache-2.0

/// Why a test of the feed could not begin.
public enum TailTestError: Error, Hashable, CustomStringConvertible {
    /// No beacon has come from there within so many nanoseconds.
    case silent(endpoint: String, UInt64)

    public var description: String {
        switch self {
        case .silent(let endpoint, let time):
            "No beacon came from \(endpoint) within \(time / 1_000_000_000) s: see that this machine can reach where "
                + "storage publishes changes."
        }
    }
}
