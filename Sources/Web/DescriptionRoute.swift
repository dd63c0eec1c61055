// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import WaymarkProtocol

/// The routes of the OpenAPI document and of the page for people. Both are made from the table of routes.
enum DescriptionRoute {
    static let all: [WebRoute] = [
        WebRoute(
            method: .get, template: "/v1/openapi.json", summary: "This interface as an OpenAPI 3.1 document.",
            answers: [.init(type: WebAnswer.json)], isOpen: true
        ) { _, _ in WebAnswer(json: document) },
        WebRoute(
            method: .get, template: "/v1", summary: "This interface as a page.",
            answers: [.init(type: DescriptionPage.contentType)], isOpen: true
        ) { _, _ in
            var answer = WebAnswer(DescriptionPage.contentType, DescriptionPage.bytes)
            answer.headers[.contentSecurityPolicy] = DescriptionPage.contentSecurityPolicy
            return answer
        },
    ]

    /// The paths of all routes, each once, in the order of the table.
    static let paths = WebRouter.routes.map(\.template).reduce(into: [String]()) { templates, template in
        if !templates.contains(template) { templates.append(template) }
    }.map { template in (template: template, routes: WebRouter.routes.filter { $0.template == template }) }

    /// The schemas that several routes share, followed by the schemas of single routes.
    private static let schemas = WebRouter.routes.flatMap(\.answers).compactMap(\.named)
        .reduce(into: [WebSchemas.common]) { all, named in if !all.contains(named) { all.append(named) } }

    private static let document = JSONWriter.line {
        $0.about(openAPI: "3.1.0")
        $0.object("paths") { writer in
            for path in paths {
                writer.object(path.template) { writer in
                    for route in path.routes { writer.object(route.method.rawValue.lowercased(), route) }
                }
            }
        }
        $0.object("components") {
            $0.field("schemas", raw: "{\(schemas.joined(separator: ","))}")
            $0.object("securitySchemes") {
                $0.field("bearer", raw: #"{"type":"http","scheme":"bearer"}"#)
                $0.field("session", raw: #"{"type":"apiKey","in":"cookie","name":"__Host-waymark"}"#)
            }
        }
        // Either kind of credential is enough. `{}` allows none, for services that do not require accounts.
        $0.field("security", raw: #"[{},{"bearer":[]},{"session":[]}]"#)
    }
}

extension WebRoute: JSONObject {
    func fields(to writer: inout JSONWriter) {
        writer.field("summary", summary)
        writer.array("parameters", allParameters)
        if !body.isEmpty {
            writer.object("requestBody") {
                $0.field("required", true)
                $0.object("content") { $0.object(WebAnswer.json) { $0.object("schema") { $0.schema(of: body) } } }
            }
        }
        writer.object("responses") {
            $0.response("\(success.code)", "The answer.", answers)
            if method == .get { $0.response("304", "Unchanged since the ETag in If-None-Match.", []) }
            $0.response("4XX", "The reason for the refusal, as a problem document.", [.problem])
            $0.response("5XX", "The reason for the failure, as a problem document.", [.problem])
        }
    }
}

extension WebRoute.Parameter: JSONObject {
    func fields(to writer: inout JSONWriter) {
        writer.field("name", name)
        writer.field("in", place.rawValue)
        writer.field("required", isRequired)
        writer.field("description", help)
        writer.field("schema", raw: jsonSchema)
    }
}

extension JSONWriter {
    /// Writes the beginning of an OpenAPI document.
    mutating func about(openAPI version: String) {
        field("openapi", version)
        object("info") {
            $0.field("title", "Waymark")
            $0.field("version", Product.version)
        }
    }

    fileprivate mutating func schema(of fields: [WebRoute.Parameter]) {
        field("type", "object")
        field("additionalProperties", false)
        array("required", fields.filter(\.isRequired).map(\.name))
        object("properties") { writer in
            for parameter in fields { writer.field(parameter.name, raw: parameter.jsonSchema) }
        }
    }

    fileprivate mutating func response(_ status: String, _ text: String, _ contents: [WebSchemas.Content]) {
        object(status) {
            $0.field("description", text)
            guard !contents.isEmpty else { return }
            $0.object("content") { writer in
                for content in contents {
                    writer.object(content.type) {
                        if let schema = content.schema { $0.field("schema", raw: schema) }
                    }
                }
            }
        }
    }
}
