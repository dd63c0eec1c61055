// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkClient

/// The route that finds known kinds while a person types.
enum KindRoutes {
    static let all: [WebRoute] = [kinds]

    private static let mostLetters = 200

    private static let kinds = WebRoute(
        method: .get, template: "/v1/kinds",
        summary: "The kinds that most people look for, or the kinds that a text finds.",
        parameters: [
            WebRoute.Parameter(
                name: "q", help: "The beginning of a word of a label or synonym, perhaps with one typing mistake.")
        ], answers: [.json("Kinds", in: WebSchemas.kinds)]
    ) { context, request in
        let text = request.query.text("q") ?? ""
        guard text.utf8.count <= mostLetters else {
            throw Problem.invalid("The parameter q is longer than \(mostLetters) bytes: give some letters of a kind.")
        }
        let found = KindSearch.kinds(text)
        // The kinds are known without a service; their counts are not, nor by a service that holds one region.
        let counts = try? await KindCounts(of: found.map(\.name), asking: context.client)
        return WebAnswer {
            $0.array("kinds", found) { writer, kind in
                writer.object {
                    $0.fields(kind)
                    $0.field("count", counts?[kind.name])
                }
            }
        }
    }
}

extension WebSchemas {
    /// The schema of the answer.
    static let kinds = """
        "Kinds":{"type":"object","required":["kinds"],"properties":{"kinds":{"type":"array","items":{"type":"object",\
        "required":["kind","label","synonyms","tags","count"],"properties":{"kind":{"type":"string"},"label":{"type":"string"},\
        "synonyms":\(texts),"tags":\(texts),"count":{"type":["integer","null"],"minimum":0}}}}}}
        """
}
