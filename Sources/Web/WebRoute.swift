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
        /// Whether it may be there several times.
        var repeats = false

        var jsonSchema: String {
            let one = schema ?? "{\"type\":\"\(type)\"}"
            return repeats ? "{\"type\":\"array\",\"items\":\(one)}" : one
        }
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
    /// Whether success is 204, without a body.
    var isEmpty = false
    /// Whether a stranger may ask where accounts are required.
    var isOpen = false
    var handler: Handler

    var segments: [Substring] { template.split(separator: "/") }

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
}

/// The values of a path's variable parts.
struct WebPath: Sendable {
    var values: [String: String]
}
