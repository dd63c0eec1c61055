// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A value on the command line that cannot be read, as one sentence that says what to write instead.
struct BadValue: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// For `validate()`: reports a bad value in the argument parser's own way, together with the usage.
func checked(_ body: () throws -> Void) throws {
    do { try body() } catch let error as BadValue { throw ValidationError(error.description) }
}
