// SPDX-License-Identifier: Apache-2.0

/// A value on the command line that cannot be read: one sentence that says what to write instead.
struct BadValue: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
