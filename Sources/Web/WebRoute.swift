// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkClient

/// A route: its handler and its description. The router and the OpenAPI document are made from the same table.
struct WebRoute: Sendable {
    /// Answers a request. ``Problem/init(_:)-(Error)`` converts the errors that it throws.
    typealias Handler = @Sendable (WebContext, WebRequest) async throws -> WebAnswer

    struct Parameter: Sendable {
        enum Place: String, Sendable { case query, header, path }

        var name: String
        var place = Place.query
        var isRequired = false
        var help: String
        /// The JSON schema of a value.
        var schema = #"{"type":"string"}"#
        /// Whether a request may repeat the parameter.
        var repeats = false

        var jsonSchema: String { repeats ? #"{"type":"array","items":\#(schema)}"# : schema }
    }

    var method: HTTPRequest.Method
    /// The path, such as `/v1/landmarks/{id}`. A text may follow a variable part, as in `{y}.mvt`.
    var template: String
    var summary: String
    var parameters: [Parameter] = []
    /// The members of the JSON body; empty if the route has no body.
    var body: [Parameter] = []
    /// The content of a successful answer.
    var answers: [WebSchemas.Content]
    /// The HTTP status of a successful answer. With the status 204 there is no body.
    var success = HTTPResponse.Status.ok
    /// Whether the route can be used without signing in even if accounts are required.
    var isOpen = false
    /// Whether the route ignores query parameters that it does not know, because apps add some.
    var takesAnyQuery = false
    var handler: Handler

    var segments: [Substring] { template.split(separator: "/") }

    /// All parameters, including the variable parts of the path.
    var allParameters: [Parameter] {
        segments.filter { $0.hasPrefix("{") }.map {
            let name = String($0.prefix { $0 != "}" }.dropFirst())
            let (help, schema) =
                switch name {
                case "name": ("A name, percent-encoded.", WebSchemas.name)
                case "id", "note": ("An id of 36 characters.", WebSchemas.uuid)
                case "key": ("The key of a phone, 22 characters.", WebSchemas.text(22, 22))
                case "fingerprint": ("The fingerprint of a key.", WebSchemas.text(39, 39))
                default: ("A number of a tile: zoom, column or row.", WebSchemas.whole)
                }
            return Parameter(name: name, place: .path, isRequired: true, help: help, schema: schema)
        } + parameters
    }
}

/// Parameters that several routes share.
extension WebRoute.Parameter {
    static let kind = Self(name: "kind", help: "Only landmarks of this kind; repeat it for several.", repeats: true)
    static let within = Self(
        name: "within",
        help: "Only within SOUTH,WEST,NORTH,EAST in degrees, or a GeoJSON polygon, edges included.")
    static let fence = Self(name: "fence", help: "Only within this fence, by its name; instead of within.")
    /// The parameters that ``WebContext/filter(_:)`` reads.
    static let filters = [
        kind, Self(name: "user", help: "Only landmarks that this user added."),
        Self(name: "source", help: "Only landmarks from this source."), within, fence,
    ]
    static let format = Self(name: "format", help: "The answer's format: json or geojson.", schema: WebSchemas.format)
    static let listFormat = Self(
        name: "format", help: "The answer's format: json, geojson, kml, gpx or csv.", schema: WebSchemas.listFormat)

    static func latitude(_ help: String = "Latitude in degrees.", isRequired: Bool = false) -> Self {
        Self(name: "lat", isRequired: isRequired, help: help, schema: WebSchemas.latitude)
    }

    static func longitude(_ help: String = "Longitude in degrees.", isRequired: Bool = false) -> Self {
        Self(name: "lng", isRequired: isRequired, help: help, schema: WebSchemas.longitude)
    }
}

/// The objects of the HTTP interface that routes use.
struct WebContext: Sendable {
    let client: WaymarkClient
    let hub: ChangeHub
    let links: LinkDesk
    let options: WebOptions
    let gate: WebGate

    /// Returns a client that acts for the caller.
    ///
    /// - Parameter repeats: whether the header Idempotency-Key counts. It must not where a route sends several requests,
    ///   which would be repeats of one, or makes a secret.
    func acting(_ request: WebRequest, repeats: Bool = true) throws -> WaymarkClient {
        var author = try request.author(gate)
        if !repeats { author.once = nil }
        return client.acting(for: author)
    }
}
