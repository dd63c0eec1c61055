// SPDX-License-Identifier: Apache-2.0

/// The reason why a server of tests cannot do its work.
public struct TestServerError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
