// SPDX-License-Identifier: Apache-2.0

/// A refusal of the browser or its driver, or a state of the page that did not come.
public struct BrowserError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
