// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An error about a value on the command line: one sentence that says what to write instead.
struct BadValue: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Reads a value with a function of another module, whose errors are sentences.
    static func unless<Value>(_ body: () throws -> Value) throws(BadValue) -> Value {
        do { return try body() } catch { throw BadValue("\(error)") }
    }
}

extension Optional {
    /// The value, or an error with this sentence, which says what to write instead.
    func orBad(_ sentence: String) throws(BadValue) -> Wrapped {
        guard let self else { throw BadValue(sentence) }
        return self
    }
}

/// Reports options that exclude each other, for `validate()`.
func refuse(if isWrong: Bool, _ sentence: @autoclosure () -> String) throws(ValidationError) {
    if isWrong { throw ValidationError(sentence()) }
}

/// Reports a bad value in the argument parser's own way, together with the usage, for `validate()`.
func checked(_ body: () throws -> Void) throws {
    do { try body() } catch { throw ValidationError("\(error)") }
}
