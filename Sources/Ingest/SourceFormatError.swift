// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The reason why a whole body was refused. None of its rows is used, because half of a source would look like a source
/// that has lost rows.
public enum SourceFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The body is not valid JSON.
    case unreadable(JSONError)
    /// The body is gzip that cannot be unpacked.
    case badGzip(String)
    /// The body is a zip archive of which no file can be read.
    case badZip(String)
    /// The body is larger than allowed after unpacking.
    case unpackedTooLarge(limit: Int)
    /// A `table` or `XML` has a syntax error on this line, counted from 1.
    case broken(String, line: Int, problem: String)
    /// The JSON does not have the shape that the format requires.
    case wrongShape(expected: String, found: String)
    /// The mapping's path for the rows does not lead to a list. `lists` has the paths of the lists in the body.
    case noRows(path: String, found: String, lists: [String])
    /// The first line of the table is a row instead of the names of the columns.
    case nameless
    /// The names of the table's columns do not show which columns contain name and position.
    case unknownColumns([String])
    /// The source reports that its answer is incomplete.
    case partial(String)
    /// The source answered with an error message.
    case refused(String)
    /// No format was recognised by `auto`.
    case unrecognised(found: String)

    /// The reason in one sentence for people.
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .badGzip(let problem): "The body is packed with gzip and cannot be unpacked: \(problem)."
        case .badZip(let problem): "The body is a zip archive and cannot be read: \(problem)."
        case .unpackedTooLarge(let limit):
            "Unpacked, the body is larger than the limit of \(limit) bytes: it was discarded."
        case .broken(let syntax, let line, let problem):
            "The \(syntax) cannot be read in line \(line): \(problem)."
        case .wrongShape(let expected, let found):
            "The JSON is not of this format: expected \(expected), found \(found)."
        case .noRows(let path, let found, let lists): Self.noRows(path, found, lists)
        case .nameless:
            "The body is a table without a line of names: put the names of its columns into a first line, such as "
                + "name,lat,lng."
        case .unknownColumns(let columns):
            "The table's columns (\(columns.prefix(12).map { $0.shortened(to: 30) }.joined(separator: ", "))) do not "
                + "say which of them are name, latitude and longitude: use the format mapping."
        case .partial(let remark): "The source says that its answer broke off: \(remark)"
        case .refused(let message): "The source answered with an error: \(message)"
        case .unrecognised(let found):
            "The format is not recognised (\(found)): "
                + "name one of \(SourceFormat.names.filter { $0 != "auto" }.joined(separator: ", "))."
        }
    }

    private static func noRows(_ path: String, _ found: String, _ lists: [String]) -> String {
        let sentence =
            path.isEmpty ? "The body is no list of rows, but \(found)" : "There is no list of rows at \(path)"
        if lists == [""] { return "\(sentence): the body itself is the list, so leave the path out." }
        if lists.isEmpty { return path.isEmpty ? "\(sentence)." : "\(sentence): the body is \(found)." }
        return "\(sentence): lists are at \(lists.prefix(6).joined(separator: ", "))."
    }
}
