// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An error about a value on the command line or in the settings: one sentence that says how to write the value.
struct BadValue: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Calls a function of another module that reads a value, and converts its error, which is one sentence.
    static func unless<Value>(_ body: () throws -> Value) throws(BadValue) -> Value {
        do { return try body() } catch { throw BadValue("\(error)") }
    }
}

extension Optional {
    /// Returns the value; for nil throws an error with this sentence, which says how to write the value.
    func orBad(_ sentence: String) throws(BadValue) -> Wrapped {
        guard let self else { throw BadValue(sentence) }
        return self
    }
}

extension Optional where Wrapped: Comparable {
    /// Returns the value if it is within a range.
    func within(_ range: ClosedRange<Wrapped>) -> Wrapped? { flatMap { range.contains($0) ? $0 : nil } }
}

/// Throws an error about options that exclude each other. Called in `validate()`.
func refuse(if isWrong: Bool, _ sentence: @autoclosure () -> String) throws(ValidationError) {
    if isWrong { throw ValidationError(sentence()) }
}

/// Converts any error to the argument parser's own error, which is printed with the usage. Called in `validate()`.
func checked(_ body: () throws -> Void) throws {
    do { try body() } catch { throw ValidationError("\(error)") }
}
