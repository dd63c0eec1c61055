// SPDX-License-Identifier: Apache-2.0

/// The location of a source: an `https:`, `http:` or `file:` URL, or the path of a file.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    enum Target: Hashable, Sendable {
        case file(path: String)
        case web(WebAddress)
        /// An open file descriptor, which the caller closes.
        case stream(Int32)
    }

    let target: Target

    /// Reads a URL; a text without a scheme is the path of a file. A relative path starts at the working directory.
    public init(_ text: String) throws(SourceLocationError) {
        guard !text.isEmpty else { throw .empty }
        guard !text.utf8.contains(0) else { throw .malformed }
        guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]) else {
            target = .file(path: text)
            return
        }
        switch text[..<colon].lowercased() {
        case "http", "https": target = .web(try WebAddress(text))
        case "file": target = .file(path: try Self.path(ofFileURL: text[text.index(after: colon)...]))
        case let scheme: throw .unsupportedScheme(String(scheme.prefix(20)))
        }
    }

    /// Makes a location for the bytes of a file descriptor up to its end. The bytes can be read only once.
    public init(stream descriptor: Int32) {
        target = .stream(descriptor)
    }

    /// Returns the path in the text after `file:`, which is percent-encoded: `///folder/a.json`,
    /// `//localhost/folder/a.json`, `/folder/a.json` or `a.json`.
    private static func path(ofFileURL rest: Substring) throws(SourceLocationError) -> String {
        var rest = rest
        if rest.hasPrefix("//") {
            let afterSlashes = rest.dropFirst(2)
            guard let slash = afterSlashes.firstIndex(of: "/"),
                ["", "localhost"].contains(afterSlashes[..<slash].lowercased())
            else { throw .remoteFile }
            rest = afterSlashes[slash...]
        }
        guard let path = String(percentEncoded: rest), !path.isEmpty, !path.utf8.contains(0) else {
            throw .malformed
        }
        return path
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (first | 0x20) &- 97 < 26 else { return false }
        return text.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 || [43, 45, 46].contains($0) }
    }

    /// The location for people and logs. User, password and query are left out, because they may be secrets.
    public var description: String {
        switch target {
        case .file(let path): path
        case .web(let address): address.description
        case .stream: "stdin"
        }
    }
}

/// The reason why a text is no ``SourceLocation``. Never quotes the text, because it may contain a password.
public enum SourceLocationError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case malformed
    case noHost
    case remoteFile
    case unsupportedScheme(String)

    /// The reason in one sentence for people.
    public var description: String {
        switch self {
        case .empty: "The address is empty: give an https:, http: or file: URL, or the path of a file."
        case .malformed: "The address is not a URL: check it for spaces and stray characters."
        case .noHost: "The address names no host: write it as https://host/path."
        case .remoteFile: "A file: URL with a host names another machine: write it as file:///path."
        case .unsupportedScheme(let scheme):
            "The scheme \(scheme): is not supported: give an https:, http: or file: URL, or ./ before a path with a colon."
        }
    }
}
