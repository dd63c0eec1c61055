// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkJSON
internal import WaymarkProtocol

/// The OpenAPI document, made from the table of routes.
enum DescriptionRoute {
    static let all: [WebRoute] = [
        WebRoute(method: .get, template: "/v1/openapi.json", summary: "This interface as an OpenAPI 3.1 document.") {
            _, _, _ throws(Problem) in WebAnswer(json: document)
        }
    ]

    private static let document = JSONWriter.line {
        $0.field("openapi", "3.1.0")
        $0.key("info")
        $0.object {
            $0.field("title", "Waymark")
            $0.field("version", Product.version)
        }
        $0.key("paths")
        $0.object { writer in
            var done: Set<String> = []
            for first in WebRouter.routes where done.insert(first.template).inserted {
                writer.key(first.template)
                writer.object { writer in
                    for route in WebRouter.routes where route.template == first.template {
                        writer.key(route.method.rawValue.lowercased())
                        writer.object { $0.fields(route) }
                    }
                }
            }
        }
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
                $0.object { $0.field("type", parameter.type) }
            }
        }
        if !route.body.isEmpty {
            key("requestBody")
            object {
                $0.field("required", true)
                $0.key("content")
                $0.object {
                    $0.key("application/json")
                    $0.object {
                        $0.key("schema")
                        $0.object { $0.schema(of: route.body) }
                    }
                }
            }
        }
        key("responses")
        object {
            $0.response(
                "2XX", "The answer.", route.template == "/v1/changes" ? "text/event-stream" : "application/json")
            $0.response("4XX", "A problem document.", Problem.contentType)
            $0.response("5XX", "A problem document.", Problem.contentType)
        }
    }

    private mutating func schema(of fields: [WebRoute.Parameter]) {
        field("type", "object")
        key("required")
        array(fields.filter(\.isRequired)) { $0.value($1.name) }
        key("properties")
        object { writer in
            for parameter in fields {
                writer.key(parameter.name)
                writer.object {
                    $0.field("type", parameter.type)
                    $0.field("description", parameter.help)
                }
            }
        }
    }

    private mutating func response(_ status: String, _ text: String, _ type: String) {
        key(status)
        object {
            $0.field("description", text)
            $0.key("content")
            $0.object {
                $0.key(type)
                $0.object { _ in }
            }
        }
    }
}
