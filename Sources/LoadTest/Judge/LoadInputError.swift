// SPDX-License-Identifier: Apache-2.0

/// The reason why a text or a file that describes a load or a limit cannot be read, as a sentence or the end of one.
public struct LoadInputError: Error, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
