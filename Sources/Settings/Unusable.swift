// SPDX-License-Identifier: Apache-2.0

/// Settings or arguments that cannot be used as they are: one sentence that says which, and where they were set.
public struct Unusable: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
