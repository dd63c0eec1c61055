// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The address of a server, the user and the database:
/// `postgresql://user:password@host:port/database?parameter=value`.
///
/// The password stays secret, because no description of the URL shows it.
public struct ConnectionURL: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The URL with the password, for libpq.
    let text: String
    let secrets: Secrets
    /// The URL without passwords.
    public let description: String

    public var hasPassword: Bool { !secrets.isEmpty }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// - Throws: ``PostgreSQLError/invalidURL(_:)``, ``PostgreSQLError/encodingIsNotUTF8(_:)`` or
    ///   ``PostgreSQLError/noLibrary(_:)``.
    public init(_ text: String) throws(PostgreSQLError) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
            throw .invalidURL("it does not begin with postgresql://")
        }
        guard !text.utf8.contains(0) else { throw .invalidURL("it has a NUL character") }
        try Self.checkUserinfo(text)
        let options = try Self.parse(text)
        func value(_ keyword: String) -> String? { options.first { $0.keyword == keyword }?.value }
        if let encoding = value("client_encoding"), !Self.isUTF8(encoding) { throw .encodingIsNotUTF8(encoding) }
        self.text = text
        secrets = Secrets(options.filter(\.isSecret).map(\.value))
        description = secrets.hidden(
            in: "postgresql://" + (value("user").map { $0 + "@" } ?? "") + (value("host") ?? value("hostaddr") ?? "")
                + (value("port").map { ":" + $0 } ?? "") + (value("dbname").map { "/" + $0 } ?? ""))
    }

    /// Refuses a URL that libpq would misread. If a password contains a `/` or a second `@`, libpq takes the characters
    /// after it for a host, a port or a database, and shows them in its errors.
    private static func checkUserinfo(_ text: String) throws(PostgreSQLError) {
        let rest = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        guard let at = rest.firstIndex(of: UInt8(ascii: "@")) else { return }
        let isPlain = !rest[..<at].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        guard isPlain, !rest[at...].dropFirst().contains(UInt8(ascii: "@")) else {
            throw .invalidURL("a @, / or ? in its user, password or parameters must be written as %40, %2F or %3F")
        }
    }

    private typealias Option = (keyword: String, value: String, isSecret: Bool)

    private static func parse(_ text: String) throws(PostgreSQLError) -> [Option] {
        // Connections are made only of such a URL, so libpq is there for all later calls.
        if let problem = waymark_libpq_problem() { throw .noLibrary(String(cString: problem)) }
        var reason: UnsafeMutablePointer<CChar>?
        // libpq's error message quotes the URL with the password, so it is not passed on.
        guard let first = PQconninfoParse(text, &reason) else {
            PQfreemem(reason)
            throw .invalidURL("it has a part that libpq does not know, or a wrong percent-encoding")
        }
        defer { PQconninfoFree(first) }
        var options: [Option] = []
        var next = first
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val {
                // "*" marks a password, whose value must be hidden.
                let isSecret = next.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
                options.append((String(cString: keyword), String(cString: value), isSecret))
            }
            next += 1
        }
        return options
    }

    private static func isUTF8(_ encoding: String) -> Bool {
        // PostgreSQL compares only letters and digits, and has a second name for UTF-8.
        let name = String(encoding.lowercased().filter { $0.isLetter || $0.isNumber })
        return name == "utf8" || name == "unicode"
    }
}
