// SPDX-License-Identifier: Apache-2.0

internal import WaymarkJSON
internal import WaymarkProtocol

/// The OpenAPI document and a page for people, made from the table of routes.
enum DescriptionRoute {
    static let all: [WebRoute] = [
        WebRoute(
            method: .get, template: "/v1/openapi.json", summary: "This interface as an OpenAPI 3.1 document.",
            answers: [.init(type: WebAnswer.json)], isOpen: true
        ) { _, _, _ throws(Problem) in WebAnswer(json: document) },
        WebRoute(
            method: .get, template: "/v1", summary: "This interface as a page.",
            answers: [.init(type: DescriptionPage.contentType)], isOpen: true
        ) { _, _, _ throws(Problem) in
            var answer = WebAnswer(DescriptionPage.contentType, DescriptionPage.bytes)
            answer.headers[.contentSecurityPolicy] = DescriptionPage.contentSecurityPolicy
            return answer
        },
    ]

    /// The routes by path, in the order of the table.
    static let paths: [(template: String, routes: [WebRoute])] = {
        var paths: [(template: String, routes: [WebRoute])] = []
        for route in WebRouter.routes {
            if let place = paths.firstIndex(where: { $0.template == route.template }) {
                paths[place].routes.append(route)
            } else {
                paths.append((route.template, [route]))
            }
        }
        return paths
    }()

    private static let document = JSONWriter.line {
        $0.field("openapi", "3.1.0")
        $0.key("info")
        $0.object {
            $0.field("title", "Waymark")
            $0.field("version", Product.version)
        }
        $0.key("paths")
        $0.object { writer in
            for path in paths {
                writer.key(path.template)
                writer.object { writer in
                    for route in path.routes {
                        writer.key(route.method.rawValue.lowercased())
                        writer.object { $0.fields(route) }
                    }
                }
            }
        }
        $0.key("components")
        $0.object {
            $0.key("schemas")
            $0.raw(WebSchemas.components)
            $0.key("securitySchemes")
            $0.raw(WebSchemas.credentials)
        }
        // Of each alone, and of neither where accounts are not required.
        $0.key("security")
        $0.raw(#"[{},{"bearer":[]},{"session":[]}]"#)
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ route: WebRoute) {
        field("summary", route.summary)
        key("parameters")
        array(route.allParameters) { writer, parameter in
            writer.object {
                $0.field("name", parameter.name)
                $0.field("in", parameter.place.rawValue)
                $0.field("required", parameter.isRequired)
                $0.field("description", parameter.help)
                $0.key("schema")
                $0.raw(parameter.jsonSchema)
            }
        }
        if !route.body.isEmpty {
            key("requestBody")
            object {
                $0.field("required", true)
                $0.key("content")
                $0.object {
                    $0.key(WebAnswer.json)
                    $0.object {
                        $0.key("schema")
                        $0.object { $0.schema(of: route.body) }
                    }
                }
            }
        }
        key("responses")
        object {
            $0.response(route.isEmpty ? "204" : route.isCreating ? "201" : "200", "The answer.", route.answers)
            if route.method == .get { $0.response("304", "The same as If-None-Match names.", []) }
            $0.response("4XX", "Why not, as a problem document.", [.problem])
            $0.response("5XX", "Why not now, as a problem document.", [.problem])
        }
    }

    private mutating func schema(of fields: [WebRoute.Parameter]) {
        field("type", "object")
        field("additionalProperties", false)
        key("required")
        array(fields.filter(\.isRequired)) { $0.value($1.name) }
        key("properties")
        object { writer in
            for parameter in fields {
                writer.key(parameter.name)
                writer.raw(parameter.jsonSchema)
            }
        }
    }

    private mutating func response(_ status: String, _ text: String, _ contents: [WebSchemas.Content]) {
        key(status)
        object {
            $0.field("description", text)
            guard !contents.isEmpty else { return }
            $0.key("content")
            $0.object { writer in
                for content in contents {
                    writer.key(content.type)
                    writer.object {
                        guard let schema = content.schema else { return }
                        $0.key("schema")
                        $0.raw(schema)
                    }
                }
            }
        }
    }
}
