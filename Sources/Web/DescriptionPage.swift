// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Support
internal import WaymarkProtocol

/// The page that describes the routes for people. It loads no other file and contains no script.
enum DescriptionPage {
    static let contentType = "text/html; charset=utf-8"
    static let bytes = Array(text.utf8)

    /// The policy of the page, which allows only the style sheet inside the page.
    static let contentSecurityPolicy: String = {
        let digest = Data(SHA256.hash(Array(style.utf8).span.bytes)).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; frame-ancestors 'none'"
    }()

    private static let style = """
        :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
        body{max-width:60rem;margin:2rem auto;padding:0 1rem}
        h2{margin-top:2.5rem;font:600 1.1rem ui-monospace,monospace}
        table{border-collapse:collapse;width:100%}
        th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-top:1px solid #8884}
        code{font:0.95em ui-monospace,monospace}
        """

    private static let text = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Waymark's HTTP interface</title><style>\(style)</style></head><body>
        <h1>Waymark's HTTP interface</h1>
        <p>Release \(Product.version.inHTML). For programs: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).
        Errors are problem documents (RFC 9457) with a <code>code</code>.</p>
        \(DescriptionRoute.paths.flatMap(\.routes).map(section).joined(separator: "\n"))
        </body></html>

        """

    private static func section(_ route: WebRoute) -> String {
        let answers = route.answers.map { "<code>\($0.type.inHTML)</code>" }.joined(separator: ", ")
        return """
            <section><h2>\(route.method.rawValue) \(route.template.inHTML)</h2>
            <p>\(route.summary.inHTML) Answers with \(answers).</p>
            \(table(route.allParameters, "Parameter"))\(table(route.body, "Field of the body"))</section>
            """
    }

    private static func table(_ parameters: [WebRoute.Parameter], _ title: String) -> String {
        guard !parameters.isEmpty else { return "" }
        let rows = parameters.map { parameter in
            let isRequired = parameter.isRequired ? "required" : ""
            let place = title == "Parameter" ? parameter.place.rawValue : ""
            return "<tr><td><code>\(parameter.name.inHTML)</code></td><td>\(place)</td><td>\(isRequired)</td>"
                + "<td>\(parameter.help.inHTML)</td></tr>"
        }
        return """
            <table><thead><tr><th scope="col">\(title)</th><th scope="col">Where</th><th scope="col">Needed</th>\
            <th scope="col">Meaning</th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table>
            """
    }
}
