// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// The checker axe finds nothing serious in any state of the page.
@Suite(
    .inTurn, .inBrowser, .serialized,
    .enabled(if: BrowserInstallation.axe != nil, "needs axe.min.js: its path in WAYMARK_AXE, or axe-playwright-python"))
struct AccessibilityTests {
    private struct Finding: Decodable {
        var id: String
        var impact: String?
        var nodes: [String]
    }

    @Test(arguments: ["light", "dark"])
    func axeFindsNothingSerious(_ scheme: String) async throws {
        let axe = try String(contentsOfFile: try #require(BrowserInstallation.axe), encoding: .utf8)
        try await withMap { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            try await browser.command(
                "Emulation.setEmulatedMedia",
                ["features": [["name": "prefers-color-scheme", "value": scheme]]])
            try await browser.open(stage.address)
            try await stage.introduce()
            try await stage.openPage(listing: 5)
            try await browser.run(axe)
            try await check(browser, "list, \(scheme)")
            try await browser.choose("More")
            try await check(browser, "filters, \(scheme)")
            try await browser.press(.enter)
            try await browser.choose("Menu")
            try await browser.wait("the settings", "document.querySelector('#dialog')?.open")
            try await check(browser, "settings, \(scheme)")
            try await browser.press(.escape)
            try await browser.choose("Kind")
            try await browser.wait("the kinds", "document.querySelectorAll('.tiles button').length > 90")
            try await check(browser, "kinds, \(scheme)")
            try await browser.press(.escape)
            try await browser.choose("Luna Park")
            try await browser.wait("the landmark", "!document.querySelector('#detail').hidden")
            try await check(browser, "landmark, \(scheme)")
            try await browser.choose("Edit")
            try await browser.wait("the form", "!document.querySelector('#editor').hidden")
            try await check(browser, "form, \(scheme)")
            let id = try #require(try await stage.landmarks().first { $0.name == "Luna Park" }?.id)
            _ = try await stage.ask("PATCH", "/v1/landmarks/\(id)", user: "bob", ["name": "Bob's Park"])
            try await browser.type("!")
            try await browser.press(.enter)
            try await browser.wait("the question", "document.querySelector('#dialog table')")
            try await check(browser, "choice, \(scheme)")
            try await browser.press(.escape)
            try await browser.wait("the form", "!document.querySelector('#dialog table')")
            try await browser.press(.escape)
            try await browser.choose("Remove")
            try await browser.wait("the notice", "document.querySelector('#notice button')")
            try await check(browser, "notice, \(scheme)")
            // A phone.
            try await browser.command(
                "Emulation.setDeviceMetricsOverride",
                ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true])
            for height in ["half", "full", "low"] {
                try await browser.wait(
                    "the height", "document.querySelector('#panel').dataset.height === arguments[0]", height)
                try await check(browser, "phone, \(height), \(scheme)")
                try await browser.run("document.querySelector('#grip').focus()")
                try await browser.press(.enter)
            }
        }
    }

    private func check(_ browser: Browser, _ state: String) async throws {
        let found: [Finding] = try await browser.value(
            """
            return axe.run().then(found => found.violations.map(each => (
              { id: each.id, impact: each.impact, nodes: each.nodes.map(node => node.html.slice(0, 200)) })))
            """)
        for each in found where each.impact == "serious" || each.impact == "critical" {
            Issue.record("\(state): \(each.id) (\(each.impact ?? "")): \(each.nodes.prefix(4))")
        }
    }
}
