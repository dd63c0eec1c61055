// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The reason why a whole body was refused. None of its rows is used, because half of a source would look like a source
/// that shrank.
public enum SourceFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The body has no readable syntax.
    case unreadable(JSONError)
    /// Gzip that cannot be unpacked.
    case badGzip(String)
    /// The unpacked body is larger than allowed.
    case unpackedTooLarge(limit: Int)
    /// A table or XML has a syntax error in this line, counted from 1.
    case broken(Syntax, line: Int, problem: String)
    /// The JSON has not the shape that the format demands.
    case wrongShape(expected: String, found: String)
    /// The mapping's path for rows leads to no list; with the paths of the lists that exist.
    case noRows(path: String, found: String, lists: [String])
    /// The first line of the table is a row, not its column names.
    case nameless
    /// The table's column names do not identify name and position.
    case unknownColumns([String])
    /// The source reports that its answer is incomplete.
    case partial(String)
    /// The source answered with an error message.
    case refused(String)
    /// `auto` did not recognise the format.
    case unrecognised(found: String)

    /// A syntax other than JSON.
    public enum Syntax: String, Sendable {
        case table, markup = "XML"
    }

    /// One sentence for people.
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .badGzip(let problem): "The body is packed with gzip and cannot be unpacked: \(problem)."
        case .unpackedTooLarge(let limit):
            "Unpacked, the body is larger than the limit of \(limit) bytes: it was discarded."
        case .broken(let syntax, let line, let problem):
            "The \(syntax.rawValue) cannot be read in line \(line): \(problem)."
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
