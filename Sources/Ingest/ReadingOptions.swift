// SPDX-License-Identifier: Apache-2.0

/// Options for reading a body.
public struct ReadingOptions: Hashable, Sendable {
    /// The maximum size of the body in bytes after unpacking.
    public var maxBytes: Int
    /// Whether to read an answer that the server cut short. The rows missing from it do not count as vanished.
    public var acceptsPartial: Bool

    public init(maxBytes: Int = FetchLimits().maxBytes, acceptsPartial: Bool = false) {
        (self.maxBytes, self.acceptsPartial) = (maxBytes, acceptsPartial)
    }
}
