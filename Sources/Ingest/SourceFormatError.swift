// SPDX-License-Identifier: Apache-2.0

/// Why a whole body was refused. Nothing of such a body is taken: half a source would look like a source that shrank.
public enum SourceFormatError: Error, Hashable, Sendable {
    /// No byte, or only white space.
    case empty
    /// The bytes from this offset on are no UTF-8.
    case notUTF8(offset: Int)
    /// A page for people: a login form, an error page, a portal.
    case html
    /// Some other markup.
    case xml
    /// The bytes are packed with gzip.
    case packed
    /// The JSON ends before it is complete.
    case cutOff(line: Int)
    /// The JSON breaks its grammar at this place, both counted from 1.
    case malformed(line: Int, column: Int, problem: String)
    /// More lists and objects within each other than any source has use for.
    case tooDeep(limit: Int)
    /// More values than a source of that size can hold in memory.
    case tooManyValues(limit: Int)
    /// JSON, but not of the shape that the format names.
    case wrongShape(expected: String, found: String)
    /// The source answers with an error of its own.
    case refused(String)
    /// `auto` found no shape that it knows.
    case unrecognised(found: String)
}

extension SourceFormatError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .empty: "The body is empty: there is no JSON in it."
        case .notUTF8(let offset): "The body is not UTF-8 from byte \(offset) on: JSON has to be."
        case .html: "The body is an HTML page, not JSON: check the address, and whether it asks for a login."
        case .xml: "The body is XML, not JSON: ask the source for JSON."
        case .packed: "The body is a gzip file: unpack it first."
        case .cutOff(let line): "The JSON is cut off in line \(line): fetch it again."
        case .malformed(let line, let column, let problem):
            "The JSON is malformed in line \(line), column \(column): \(problem)."
        case .tooDeep(let limit): "The JSON is nested more than \(limit) levels deep: no source is."
        case .tooManyValues(let limit): "The JSON holds more than \(limit) values: split the source."
        case .wrongShape(let expected, let found):
            "The JSON is not of this format: expected \(expected), found \(found)."
        case .refused(let message): "The source answered with an error: \(message)"
        case .unrecognised(let found):
            "The format cannot be told from the JSON (\(found)): "
                + "name one of \(SourceFormat.names.filter { $0 != "auto" }.joined(separator: ", "))."
        }
    }
}
