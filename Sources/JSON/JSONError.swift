// SPDX-License-Identifier: Apache-2.0

/// The reason why a text cannot be read.
public enum JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has no bytes, or only white space.
    case empty
    /// From this offset on, the bytes are not UTF-8.
    case notUTF8(offset: Int)
    /// The text is an HTML page, such as a login form or an error page.
    case html
    /// The text is XML, but neither GPX nor KML.
    case xml
    /// The bytes are a file that has to be unpacked or exported first.
    case foreign(ForeignFile)
    /// The bytes are a gzip file inside a gzip file, or a gzip file where none is unpacked.
    case packed
    /// The JSON ends before it is complete.
    case cutOff(line: Int)
    /// The JSON has a syntax error at this line and column, counted from 1.
    case malformed(line: Int, column: Int, problem: String)
    /// Lists and objects are nested deeper than anybody needs.
    case tooDeep(limit: Int)
    /// The text contains more values than should be held in memory.
    case tooManyValues(limit: Int)

    /// The reason as one sentence for people.
    public var description: String {
        switch self {
        case .empty: "The body is empty: check the address."
        case .notUTF8(let offset): "The body is not UTF-8 from byte \(offset) on: convert it to UTF-8."
        case .html: "The body is an HTML page: check the address, and whether it needs a login."
        case .xml: "The body is XML, but neither GPX nor KML: ask the source for JSON."
        case .foreign(let file): "The body is \(file.rawValue): \(file.advice)."
        case .packed: "The body is a gzip file within a gzip file: unpack it once."
        case .cutOff(let line): "The JSON is cut off in line \(line): fetch it again."
        case .malformed(let line, let column, let problem):
            "The JSON is malformed in line \(line), column \(column): \(problem)."
        case .tooDeep(let limit): "The body is nested more than \(limit) levels deep: check that it is a source."
        case .tooManyValues(let limit): "The body holds more than \(limit) values: split the source."
        }
    }
}
