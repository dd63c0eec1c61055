// SPDX-License-Identifier: Apache-2.0

/// Options for reading a body.
public struct ReadingOptions: Hashable, Sendable {
    /// The most bytes that a compressed body may unpack to.
    public var maxBytes: Int
    /// Whether to read an answer that its server cut short. Rows missing from it do not count as vanished.
    public var acceptsPartial: Bool

    public init(maxBytes: Int = FetchLimits().maxBytes, acceptsPartial: Bool = false) {
        self.maxBytes = maxBytes
        self.acceptsPartial = acceptsPartial
    }
}
