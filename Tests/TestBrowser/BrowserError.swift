// SPDX-License-Identifier: Apache-2.0

/// What the browser or its driver refused, or what did not come.
public struct BrowserError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
