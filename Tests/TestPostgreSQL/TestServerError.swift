// SPDX-License-Identifier: Apache-2.0

/// Why a server of tests cannot do what it should.
public struct TestServerError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
