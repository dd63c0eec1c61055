// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// The routes, prepared for matching, so that their templates are not parsed again for each request.
struct RouteTable: Sendable {
    /// An object, because a copy of a route would copy its parameters and texts.
    final class Entry: Sendable {
        let route: WebRoute
        /// The names of the members that the body may have.
        let fields: Set<String>
        fileprivate let segments: [String]
        private let parameters: Set<String>
        private let repeating: Set<String>
        private let headers: [HTTPField.Name]

        init(_ route: WebRoute) {
            self.route = route
            fields = Set(route.body.map(\.name))
            segments = route.segments.map(String.init)
            parameters = Set(route.parameters.filter { $0.place == .query }.map(\.name))
            repeating = Set(route.parameters.filter(\.repeats).map(\.name))
            headers = route.parameters.filter { $0.place == .header }.compactMap { HTTPField.Name($0.name) }
        }

        /// Returns the values of the variable parts of the path; nil if the path does not match the template.
        fileprivate func match(_ path: [String]) -> [String: String]? {
            guard segments.count == path.count else { return nil }
            var values: [String: String] = [:]
            for (segment, part) in zip(segments, path) where segment != part {
                guard segment.hasPrefix("{"), let end = segment.firstIndex(of: "}") else { return nil }
                let ending = segment[end...].dropFirst()
                guard part.hasSuffix(ending) else { return nil }
                values[String(segment[..<end].dropFirst())] = String(part.dropLast(ending.count))
            }
            return values
        }

        /// - Throws: ``Problem`` for a query parameter that the route does not have, because a misspelt filter would
        ///   select too much; also for a repeated parameter, because it would be unclear which value counts.
        func check(_ query: WebQuery) throws(Problem) {
            guard !route.takesAnyQuery else { return }
            for name in query.names where !parameters.contains(name) {
                throw Problem.invalid("There is no parameter \(name.prefix(40)) here: see /v1/openapi.json.")
            }
            for name in query.names where query.isRepeated(name) && !repeating.contains(name) {
                throw Problem.invalid("The parameter \(name) is there twice: give it once.")
            }
        }

        /// - Throws: ``Problem`` if a header that the route uses is repeated or is not UTF-8.
        func check(_ fields: HTTPFields) throws(Problem) {
            for name in headers {
                let values = fields[values: name]
                guard values.count < 2 else {
                    throw Problem.invalid("The header \(name.rawName) is there twice: give it once.")
                }
                // NIO replaces bytes that are not UTF-8 by U+FFFD, so different keys or names could become equal.
                guard !values.contains(where: { $0.unicodeScalars.contains("\u{fffd}") }) else {
                    throw Problem.malformed("The header \(name.rawName) is not UTF-8: percent-encode it.")
                }
            }
        }
    }

    /// A route, and the values of the variable parts of the path.
    typealias Match = (known: Entry, path: [String: String])

    private let entries: [Entry]
    /// The routes without variable parts, by their paths as clients usually write them.
    private let fixed: [String: [Match]]

    init(_ routes: [WebRoute]) {
        let entries = routes.map(Entry.init)
        var fixed: [String: [Match]] = [:]
        for route in routes where !route.template.utf8.contains(UInt8(ascii: "{")) {
            fixed[route.template] = Self.matches(route.segments.map(String.init), entries)
        }
        (self.entries, self.fixed) = (entries, fixed)
    }

    /// Returns the routes of a path, one for each method; empty if the path is unknown.
    ///
    /// - Throws: ``Problem`` if the path cannot be decoded.
    func matches(_ path: String) throws(Problem) -> [Match] {
        if let known = fixed[path] { return known }
        let parts = path.split(separator: "/").map { String(percentEncoded: $0) }
        guard !parts.contains(nil) else { throw Problem.malformed("The path is not percent-encoded UTF-8.") }
        return Self.matches(parts.compactMap(\.self), entries)
    }

    private static func matches(_ path: [String], _ entries: [Entry]) -> [Match] {
        entries.compactMap { entry in entry.match(path).map { (entry, $0) } }
    }
}
