// SPDX-License-Identifier: Apache-2.0

/// An error about settings or arguments that cannot be used. The sentence names them and the place where they were set.
public struct Unusable: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
