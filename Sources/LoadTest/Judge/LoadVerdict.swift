// SPDX-License-Identifier: Apache-2.0

/// The verdict on one case of a test: about an assertion, or about whether it did anything.
public struct LoadVerdict: Hashable, Sendable {
    /// The label of the case.
    public let label: String
    /// The assertion, such as `p99<5ms`.
    public let assertion: String
    /// The sentence that says how the assertion is broken; nil if it holds.
    public let complaint: String?

    public init(_ label: String, _ assertion: String, complaint: String?) {
        (self.label, self.assertion, self.complaint) = (label, assertion, complaint)
    }
}
