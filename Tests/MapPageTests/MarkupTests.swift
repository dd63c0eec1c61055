// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

/// Text of other people is text.
@Suite(.inTurn, .inBrowser, .serialized)
struct MarkupTests {
    private static let hostile = [
        "<img src=x onerror=\"window.ran=1\">", "<script>window.ran=1</script>", "\"><svg onload=window.ran=1>",
        "</textarea><iframe srcdoc='<script>parent.ran=1</script>'>", "{{constructor.constructor('ran=1')()}}",
        "<a href=javascript:ran=1>x</a>",
    ]

    /// Elements that only a text of others could make. The page's own pictures are hidden from screen readers, and its own
    /// links look like buttons.
    private static let alive = "img, script, svg:not([aria-hidden=true]), iframe, a:not(.button)"

    @Test
    func hostileTextIsShownAndDoesNotRun() async throws {
        try await withMap { stage in
            let browser = stage.browser
            var ids: [String] = []
            for (number, text) in Self.hostile.enumerated() {
                let body: [String: any Sendable] = [
                    "name": text, "lat": -33.8 - Double(number) / 50, "lng": 151.2, "kind": text, "link": text,
                    "note": text,
                ]
                let made = try await stage.ask("POST", "/v1/landmarks", user: text, body)
                // A link that names javascript: is refused before it is kept.
                let answer =
                    made.status == 201
                    ? made
                    : try await stage.ask("POST", "/v1/landmarks", user: text, body.filter { $0.key != "link" })
                #expect(answer.status == 201, "\(answer.text)")
                let id = try JSONDecoder().decode([String: Lenient].self, from: Data(answer.text.utf8))["id"]?.text
                ids.append(try #require(id))
            }
            let scheme = try await stage.ask(
                "POST", "/v1/landmarks", ["name": "x", "lat": 1, "lng": 1, "link": "javascript:window.ran=1"])
            #expect(scheme.status == 422 || scheme.status == 400)
            // On the bus a source can have any name.
            let client = try await WaymarkClient(
                ClientOptions(endpoint: stage.endpoint, user: "x", timeout: .seconds(60)))
            _ = try await client.send(
                .with {
                    $0.ingest.source = "<img src=x onerror=window.ran=1>"
                    $0.ingest.rows = [
                        WireSourceRow(
                            "1",
                            .with { ($0.name, $0.lat, $0.lng) = ("<img src=x onerror=window.ran=1>", -33.7, 151.1) })
                    ]
                })
            await client.close()

            let count = Self.hostile.count + 1
            try await browser.open(stage.address)
            try await stage.introduce(Self.hostile[0])
            try await stage.openPage(listing: count)
            let made = ":is(#list, #chips, #person, #count, #notice) :is(\(Self.alive))"
            #expect(try await browser.value("return document.querySelectorAll(arguments[0]).length", made) == 0)
            let names: [String] = try await browser.value(
                "return [...document.querySelectorAll('#list .name')].map(each => each.textContent)")
            #expect(Set(Self.hostile).isSubset(of: names))
            for (id, text) in zip(ids, Self.hostile) {
                try await browser.run(
                    "[...document.querySelectorAll('#list button')].find(each => each.dataset.id === arguments[0]).click()",
                    id)
                try await browser.wait(
                    "the landmark", "document.querySelector('#detail h2')?.textContent === arguments[0]", text)
                #expect(try await browser.value("return document.querySelector('.note').firstChild.data") == text)
                #expect(
                    try await browser.value(
                        "return document.querySelectorAll('#detail :is(\(Self.alive))').length") == 0)
                try await browser.run("document.querySelector('#detail button').click()")
            }
            // The filters offer the same words.
            #expect(
                try await browser.value(
                    "return [...document.querySelectorAll('#chips option')].every(each => !each.children.length)"))
            // As an address, it is a view.
            let bait = Self.hostile[0].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            try await browser.open("\(stage.address)/?\(bait)#at=\(bait)&id=\(bait)&kind=\(bait)")
            try await browser.wait("a page", "document.querySelector('#live')?.dataset.state === 'live'")
            #expect(try await browser.value("return window.ran === undefined"))
            #expect(try await browser.complaints().filter { $0.contains("Content Security Policy") } == [])
        }
    }

    /// A text of an answer; other values are none.
    private struct Lenient: Decodable {
        var text: String?
        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
