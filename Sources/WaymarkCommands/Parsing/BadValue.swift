// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A value on the command line that cannot be read, as one sentence that says what to write instead.
struct BadValue: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Reads a value with a function of another room, whose errors are sentences.
    static func unless<Value>(_ body: () throws -> Value) throws(BadValue) -> Value {
        do { return try body() } catch { throw BadValue("\(error)") }
    }
}

extension Optional {
    /// The value that a text was read as, or the sentence that says what to write instead.
    func orBad(_ sentence: String) throws(BadValue) -> Wrapped {
        guard let self else { throw BadValue(sentence) }
        return self
    }
}

/// For `validate()`: reports options that do not go together.
func refuse(if isWrong: Bool, _ sentence: @autoclosure () -> String) throws(ValidationError) {
    if isWrong { throw ValidationError(sentence()) }
}

/// For `validate()`: reports a bad value in the argument parser's own way, together with the usage.
func checked(_ body: () throws -> Void) throws {
    do { try body() } catch { throw ValidationError("\(error)") }
}
