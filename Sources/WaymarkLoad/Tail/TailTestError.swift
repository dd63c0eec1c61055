// SPDX-License-Identifier: Apache-2.0

/// The reason why a test of the feed could not start.
public struct TailTestError: Error, Hashable, CustomStringConvertible {
    public let description: String

    /// Makes an error that says that no beacon arrived from the endpoint within this many nanoseconds.
    init(silent endpoint: String, _ time: UInt64) {
        description =
            "No beacon came from \(endpoint) within \(time / 1_000_000_000) s: check that this machine can reach the "
            + "endpoint where storage publishes changes."
    }
}
