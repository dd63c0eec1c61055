// SPDX-License-Identifier: Apache-2.0

/// An HTML page in one file, without scripts and without anything from other hosts. It escapes all its texts.
struct HTMLPage {
    // The policy makes a browser refuse what a mistake in the escaping would let through.
    private static let head = """
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>
        body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #202020; background: white;
          font: 15px/1.5 system-ui, sans-serif; color-scheme: light }
        h1, h2 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
        pre { background: #f4f4f4; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere }
        div { overflow-x: auto } table { border-collapse: collapse }
        th, td { padding: .25rem .75rem; border-bottom: 1px solid #e0e0e0; text-align: left }
        td:first-child { white-space: pre }
        .figures th + th, .figures td + td { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
        .bad { color: #a00000; font-weight: 600 } svg { max-width: 100%; height: auto }
        </style>
        """

    private let title: String
    private var body: String

    init(_ title: String) { (self.title, body) = (title, "<h1>\(SVG.escaped(title))</h1>\n") }

    var text: String {
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<title>\(SVG.escaped(title))</title>\n\(Self.head)\n</head>\n"
            + "<body>\n\(body)</body>\n</html>\n"
    }

    mutating func heading(_ text: String) { body += "<h2>\(SVG.escaped(text))</h2>\n" }

    mutating func paragraph(_ text: String, isBad: Bool = false) {
        body += "<p\(isBad ? " class=\"bad\"" : "")>\(SVG.escaped(text))</p>\n"
    }

    mutating func command(_ text: String) { body += "<pre>\(SVG.escaped(text))</pre>\n" }

    mutating func list(_ texts: [String]) {
        guard !texts.isEmpty else { return }
        body += "<ul>\n\(texts.map { "<li>\(SVG.escaped($0))</li>\n" }.joined())</ul>\n"
    }

    /// - Parameters:
    ///   - areFigures: whether all columns but the first have numbers.
    ///   - isBad: whether a row is marked as a failure.
    mutating func table(
        _ titles: [String], _ rows: [[String]], areFigures: Bool = false, isBad: (Int) -> Bool = { _ in false }
    ) {
        func row(_ cells: [String], _ tag: String) -> String {
            cells.map { "<\(tag)>\(SVG.escaped($0))</\(tag)>" }.joined()
        }
        body += "<div><table\(areFigures ? " class=\"figures\"" : "")>\n"
        if !titles.isEmpty { body += "<thead><tr>\(row(titles, "th"))</tr></thead>\n" }
        for (place, cells) in rows.enumerated() {
            body += "<tr\(isBad(place) ? " class=\"bad\"" : "")>\(row(cells, "td"))</tr>\n"
        }
        body += "</table></div>\n"
    }

    mutating func charts(_ charts: [Chart]) { body += SVG.element(charts) }
}
