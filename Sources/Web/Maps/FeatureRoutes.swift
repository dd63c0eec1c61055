// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol
internal import WaymarkTransport

/// OGC API - Features, Part 1: Core and GeoJSON, as GDAL and QGIS read it. Its only collection has all landmarks.
enum FeatureRoutes {
    static let all: [WebRoute] = [landing, conformance, api, collections, collection, schema, items, item]

    private static let openAPI = "application/vnd.oai.openapi+json;version=3.0"
    private static let schemaType = "application/schema+json"
    private static let here = "/collections/landmarks"
    private static let crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
    private static let standardLimit = 100
    private static let limit = WebRoute.Parameter(
        name: "limit", help: "The most features, 100 if it is missing; more than 1000 count as 1000.",
        schema: #"{"type":"integer","minimum":1}"#)

    private static let landing = route("", "The beginning of OGC API - Features.") { base, _, _ in
        WebAnswer {
            $0.field("title", "Waymark")
            $0.field("description", "The landmarks of this service.")
            $0.links([
                ("self", WebAnswer.json, base), ("service-desc", openAPI, base + "/api"),
                ("conformance", WebAnswer.json, base + "/conformance"), ("data", WebAnswer.json, base + "/collections"),
            ])
        }
    }

    private static let conformance = route("/conformance", "The classes of the standard that are met.") { _, _, _ in
        WebAnswer {
            $0.array("conformsTo", ["core", "geojson"]) {
                $0.value("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/" + $1)
            }
        }
    }

    /// The description of these routes alone: QGIS wants OpenAPI 3.0, and the limit where the standard's example has it.
    private static let api: WebRoute = route("/api", "OGC API - Features as an OpenAPI 3.0 document.", type: openAPI) {
        base, _, _ in
        let document = JSONWriter.line {
            $0.about(openAPI: "3.0.3")
            $0.array("servers", [base]) { writer, url in writer.object { $0.field("url", url) } }
            $0.object("paths") { writer in
                for route in all {
                    let path = route.template.dropFirst("/ogc".count)
                    writer.object(path.isEmpty ? "/" : String(path)) {
                        $0.object("get") {
                            $0.field("summary", route.summary)
                            $0.array("parameters", route.allParameters)
                            $0.field("responses", raw: #"{"200":{"description":"The answer."}}"#)
                        }
                    }
                }
            }
            $0.field(
                "components",
                raw: """
                    {"parameters":{"limit":{"name":"limit","in":"query","schema":{"type":"integer","minimum":1,\
                    "maximum":\(WaymarkProtocol.pageRows),"default":\(standardLimit)}}}}
                    """)
        }
        return WebAnswer(openAPI, document)
    }

    private static let collections = route("/collections", "The collections: one.") { base, _, _ in
        WebAnswer {
            $0.array("collections", [LandmarkCollection(base: base)])
            $0.links([("self", WebAnswer.json, base + "/collections")])
        }
    }

    private static let collection = route(here, "The collection of all landmarks.") { base, _, _ in
        WebAnswer { $0.fields(LandmarkCollection(base: base)) }
    }

    /// GDAL would guess the types of the fields from the first page.
    private static let schema = route(here + "/schema", "The fields of a landmark's feature.", type: schemaType) {
        _, _, _ in
        let attributes = (Attribute.leading + Attribute.following).map { attribute in
            guard case .number = attribute.form else { return "\"\(attribute.rawValue)\":{\"type\":\"string\"}" }
            return "\"\(attribute.rawValue)\":{\"type\":\"\(attribute.isWhole ? "integer" : "number")\"}"
        }.joined(separator: ",")
        let text = """
            {"type":"object","properties":{"properties":{"type":"object","properties":{"name":{"type":"string"},\
            \(attributes),"user":{"type":"string"},"account":{"type":"integer"},"source":{"type":"object"},\
            "notes":{"type":"array","items":{"type":"object"}},"version":{"type":"integer"},"rev":{"type":"integer"},\
            "created":\(WebSchemas.time),"updated":\(WebSchemas.time)}}}}

            """
        return WebAnswer(schemaType, Array(text.utf8))
    }

    private static let items = route(
        here + "/items", "The landmarks by name, a page at a time.",
        [
            limit,
            .init(name: "bbox", help: "Only within WEST,SOUTH,EAST,NORTH in degrees; heights count for nothing."),
            .init(name: "datetime", help: "Accepted: landmarks have no time, so all match."),
            .init(name: "cursor", help: "The cursor in a link to the next page."),
        ], type: WebAnswer.geoJSON
    ) { base, context, request in
        let query = request.query
        let limit = min(try query.whole("limit", in: 1...Int.max, or: standardLimit), WaymarkProtocol.pageRows)
        let (box, start) = (try query.box(), try query.cursor())
        let filter = LandmarkFilter(area: box.map { Area.box($0) })
        let page = try await Problem.of {
            try await context.client.list(.byName, limit: limit, filter: filter, after: start)
        }
        let area = box.map { "&bbox=\($0.west),\($0.south),\($0.east),\($0.north)" } ?? ""
        func link(_ cursor: String?) -> String {
            "\(base)\(here)/items?limit=\(limit)\(area)" + (cursor.map { "&cursor=\($0)" } ?? "")
        }
        var links: [JSONWriter.Link] = [("self", WebAnswer.geoJSON, link(query.text("cursor")))]
        if let next = page.cursor { links.append(("next", WebAnswer.geoJSON, link(next.base64URL))) }
        var text = ListDocument(.geojson, isMeasured: false, tellsOpening: false)
        for row in page.hits.indices { page.hits.withView(row) { text.add($0) } }
        let rest = JSONWriter.line {
            $0.field("timeStamp", time: WallClock.milliseconds)
            $0.field("numberReturned", UInt64(page.hits.count))
            $0.links(links)
        }
        return WebAnswer(WebAnswer.geoJSON, text.bytes + Array("\n],".utf8) + rest.dropFirst())
    }

    private static let item = route(here + "/items/{id}", "A landmark.", type: WebAnswer.geoJSON) {
        base, context, request in
        let id = try request.path["id"].flatMap { UUIDv7($0) }
            .or(Problem(.notFound, "not_found", "There is no such landmark: ids have 36 characters."))
        let found = try await Problem.of { try await context.client.show(id, history: 1) }
        let rest = JSONWriter.line {
            $0.links([
                ("self", WebAnswer.geoJSON, "\(base)\(here)/items/\(id)"), ("collection", WebAnswer.json, base + here),
            ])
        }
        let feature = Array(GeoJSON.feature(Hit(landmark: found.landmark)).dropLast())
        return WebAnswer(WebAnswer.geoJSON, feature + Array(",".utf8) + rest.dropFirst())
    }

    /// - Parameter handler: gets the URL of the landing page.
    private static func route(
        _ path: String, _ summary: String, _ parameters: [WebRoute.Parameter] = [], type: String = WebAnswer.json,
        handler: @escaping @Sendable (String, WebContext, WebRequest) async throws -> WebAnswer
    ) -> WebRoute {
        let form = WebRoute.Parameter(
            name: "f", help: "The format, of which there is one: json.", schema: #"{"type":"string","enum":["json"]}"#)
        return WebRoute(
            method: .get, template: "/ogc" + path, summary: summary, parameters: parameters + [form],
            answers: [.init(type: type)]
        ) { context, request in
            _ = try request.query.value("f", "json") { $0 == "json" ? true : nil }
            return try await handler(try request.base() + "/ogc", context, request)
        }
    }

    private struct LandmarkCollection: JSONObject {
        /// The URL of the landing page.
        let base: String

        func fields(to writer: inout JSONWriter) {
            writer.field("id", "landmarks")
            writer.field("title", "Landmarks")
            writer.field("description", "All landmarks, as points.")
            writer.field("itemType", "feature")
            writer.array("crs", [FeatureRoutes.crs])
            writer.field("extent", raw: #"{"spatial":{"bbox":[[-180,-90,180,90]],"crs":"\#(FeatureRoutes.crs)"}}"#)
            let url = base + FeatureRoutes.here
            writer.links([
                ("self", WebAnswer.json, url), ("items", WebAnswer.geoJSON, url + "/items"),
                // GDAL compares the relation's case.
                ("describedBy", FeatureRoutes.schemaType, url + "/schema"),
            ])
        }
    }
}

extension WebQuery {
    /// Returns the box in the parameter `bbox`; nil if the parameter is missing.
    fileprivate func box() throws(Problem) -> AreaBox? {
        try value("bbox", "WEST,SOUTH,EAST,NORTH in degrees") { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            // GDAL writes small numbers with an exponent.
            var numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
            guard numbers.count == parts.count, [4, 6].contains(parts.count) else { return nil }
            if numbers.count == 6 { numbers = [0, 1, 3, 4].map { numbers[$0] } }
            // A window may show more than the earth.
            return try? AreaBox(
                south: max(numbers[1], -90), west: max(numbers[0], -180), north: min(numbers[3], 90),
                east: min(numbers[2], 180))
        }
    }
}
