// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// A route: what it answers, and what its description says. The router and the OpenAPI document are made of the same
/// table.
struct WebRoute: Sendable {
    typealias Handler = @Sendable (WebContext, WebRequest, WebPath) async throws(Problem) -> WebAnswer

    struct Parameter: Sendable {
        enum Place: String, Sendable { case query, header, path }

        var name: String
        var place = Place.query
        /// A JSON schema type.
        var type = "string"
        var isRequired = false
        var help: String
        /// A JSON schema that says more than the type.
        var schema: String?

        var jsonSchema: String { schema ?? "{\"type\":\"\(type)\"}" }
    }

    var method: HTTPRequest.Method
    /// Such as `/v1/landmarks/{id}`.
    var template: String
    var summary: String
    var parameters: [Parameter] = []
    /// The fields of the JSON body; empty: no body.
    var body: [Parameter] = []
    /// What a successful answer is.
    var answers: [WebSchemas.Content]
    /// Whether success is 201.
    var isCreating = false
    var handler: Handler

    var segments: [Substring] { template.split(separator: "/") }

    /// Nil if the path is another one.
    func match(_ path: [String]) -> WebPath? {
        let segments = segments
        guard segments.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            if segment.hasPrefix("{") {
                values[String(segment.dropFirst().dropLast())] = part
            } else if segment != part {
                return nil
            }
        }
        return WebPath(values: values)
    }

    /// All parameters, with those of the path.
    var allParameters: [Parameter] {
        segments.filter { $0.hasPrefix("{") }.map {
            let name = String($0.dropFirst().dropLast())
            let isID = ["id", "note"].contains(name)
            return Parameter(
                name: name, place: .path, isRequired: true,
                help: isID ? "An id of 36 characters." : "A number of a tile: zoom, column or row.",
                schema: isID ? WebSchemas.uuid : WebSchemas.tileNumber)
        } + parameters
    }

    /// - Throws: ``Problem`` for a query parameter that the route does not have: a misspelt filter would select too much.
    func check(_ query: WebQuery) throws(Problem) {
        let known = Set(parameters.filter { $0.place == .query }.map(\.name))
        for name in query.names where !known.contains(name) {
            throw Problem.invalid("There is no parameter \(name.prefix(40)) here: see /v1/openapi.json.")
        }
    }
}

/// The values of a path's variable parts.
struct WebPath: Sendable {
    var values: [String: String]
}
