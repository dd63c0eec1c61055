// SPDX-License-Identifier: Apache-2.0

/// Why a test of the feed could not start.
public enum TailTestError: Error, Hashable, CustomStringConvertible {
    /// No beacon arrived from the endpoint within this many nanoseconds.
    case silent(endpoint: String, UInt64)

    public var description: String {
        switch self {
        case .silent(let endpoint, let time):
            "No beacon came from \(endpoint) within \(time / 1_000_000_000) s: check that this machine can reach the "
                + "endpoint where storage publishes changes."
        }
    }
}
