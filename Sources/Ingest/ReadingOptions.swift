// SPDX-License-Identifier: Apache-2.0

/// How a body is read.
public struct ReadingOptions: Hashable, Sendable {
    /// The most bytes that a packed body may come to.
    public var maxBytes: Int
    /// Take what is there of an answer whose server says that it broke off. Such rows say nothing about what vanished.
    public var acceptsPartial: Bool

    public init(maxBytes: Int = FetchLimits().maxBytes, acceptsPartial: Bool = false) {
        self.maxBytes = maxBytes
        self.acceptsPartial = acceptsPartial
    }
}
