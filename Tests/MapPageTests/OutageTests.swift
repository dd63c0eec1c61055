// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestBrowser
import TestTurns
import Testing
import ZeroMQ

/// Services that die while others write: then the screen is the database, and each revision came once.
@Suite(.inTurn, .inBrowser, .serialized)
struct OutageTests {
    static let names =
        "[...document.querySelectorAll('#list .name')].map(each => each.textContent).sort().join('|')"

    /// The ids of the rows, each as often as it is listed.
    private static let ids = "return [...document.querySelectorAll('#list [data-id]')].map(each => each.dataset.id)"

    /// The revision of each change that the page was told, and how often it had to request everything.
    static let watch = """
        window.revisions = []; window.renewals = 0;
        const dispatch = EventTarget.prototype.dispatchEvent;
        EventTarget.prototype.dispatchEvent = function (event) {
          if (event.type === "change" && event.detail?.op) window.revisions.push(event.detail.rev);
          if (event.type === "renewed") window.renewals += 1;
          return dispatch.call(this, event);
        };
        """

    @Test
    func afterAnOutageTheScreenIsTheDatabase() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.addHarbour()
            try await browser.open(stage.address)
            try await stage.introduce()
            try await browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": Self.watch])
            try await stage.openPage("#at=12/-33.86/151.21", listing: 5)
            let first = try await stage.head()

            stage.storage.withLock { $0 }.slay()
            try await browser.wait("the banner", "document.querySelector('#live').dataset.state === 'behind'")
            // Away for ten seconds. What was known stays, and a write is refused with words, in a form that keeps what was typed.
            try await stage.listed(5)
            try await browser.choose("Add here")
            try await browser.wait("the form", "!document.querySelector('#editor').hidden")
            try await browser.type("In the dark")
            try await browser.press(.enter)
            try await browser.wait("the refusal", "document.querySelector('#editor [role=alert]')?.textContent")
            try await Task.sleep(for: .seconds(10))
            #expect(try await browser.value("return document.querySelector('#live').dataset.state") == "behind")
            let again = try MapStage.startStorage(stage.directory)
            stage.storage.withLock { $0 = again }
            // Others write from the first moment on, until the page is live and what was typed is there.
            try await whileOthersWrite(stage, "storage") {
                try await browser.wait("the live page", "document.querySelector('#live').dataset.state === 'live'")
                try await browser.press(.enter)
                try await browser.wait("it", "document.querySelector('#detail h2')?.textContent === 'In the dark'")
            }
            try await expectTheDatabase(stage, after: first)
            #expect(try await stage.landmarks().filter { $0.name == "In the dark" }.count == 1)

            // Now the service that the page speaks to. First others write by another one, ...
            stage.query.withLock { $0 }.slay()
            try await browser.wait("a banner", "document.querySelector('#live').dataset.state === 'reconnecting'")
            let port = try Ports.free()
            let another = try MapStage.startQuery(stage.directory, port: port, name: "another")
            defer { another.slay() }
            let others = MapStage(
                browser: browser, directory: stage.directory, port: port, storage: stage.storage, query: Locked(another)
            )
            try await others.awaitService()
            try await change(others, "out of reach", count: 12)
            // ... and then they write on while it comes back.
            try await whileOthersWrite(others, "query") {
                let again = try MapStage.startQuery(stage.directory, port: stage.port)
                stage.query.withLock { $0 = again }
                try await browser.wait("the live page", "document.querySelector('#live').dataset.state === 'live'")
            }
            try await expectTheDatabase(others, after: first)
        }
    }

    /// Runs `body`, and changes landmarks from before its begin until after its end.
    private func whileOthersWrite(_ stage: MapStage, _ name: String, _ body: () async throws -> Void) async throws {
        let isOver = Locked(false)
        async let written: Void = {
            for round in 0... {
                try await change(stage, "\(name) \(round)", count: 6)
                if isOver.withLock({ $0 }) { break }
            }
        }()
        do {
            try await body()
            isOver.withLock { $0 = true }
        } catch {
            isOver.withLock { $0 = true }
            throw error
        }
        try await written
    }

    /// Adds, renames, moves and removes: this many writes, of which one landmark stays.
    private func change(_ stage: MapStage, _ name: String, count: Int) async throws {
        let kept = try await written(stage, "POST", "/v1/landmarks", ["name": name, "lat": -33.86, "lng": 151.21])
        let gone = try await written(stage, "POST", "/v1/landmarks", ["name": "gone", "lat": -33.85, "lng": 151.2])
        let (one, other) = (try Self.id(kept), try Self.id(gone))
        for number in 0..<max(1, count - 3) {
            let place: [String: any Sendable] = [
                "name": "\(name), \(number)", "lat": -33.86 - Double(number) / 1_000, "lng": 151.21,
            ]
            _ = try await written(stage, "PATCH", "/v1/landmarks/\(one)", place)
        }
        _ = try await written(stage, "DELETE", "/v1/landmarks/\(other)", nil)
    }

    private static func id(_ text: String) throws -> String {
        struct Made: Decodable { var id: String }
        return try JSONDecoder().decode(Made.self, from: Data(text.utf8)).id
    }

    /// Repeats a write until it is done: while storage is away it is refused.
    private func written(
        _ stage: MapStage, _ method: String, _ path: String, _ body: [String: any Sendable]?
    ) async throws -> String {
        var done: String?
        try await until("\(method) \(path) is done") {
            let answer = try await stage.ask(method, path, user: "bob", body)
            if (200..<300).contains(answer.status) { done = answer.text }
            guard done != nil || answer.status >= 500 else { throw BrowserError(answer.text) }
            return done != nil
        }
        return try #require(done)
    }

    /// The list has each landmark of the database once, and the page heard of each revision once.
    private func expectTheDatabase(_ stage: MapStage, after first: Int) async throws {
        let (head, browser) = (try await stage.head(), stage.browser)
        try await browser.wait("the last revision", "window.revisions.at(-1) >= Number(arguments[0])", "\(head)")
        let told: [Int] = try await browser.value("return window.revisions")
        #expect(told == Array(first + 1...head))
        let found = try await stage.landmarks()
        try await browser.wait("the names", "\(Self.names) === arguments[0]", found.map(\.name).joined(separator: "|"))
        let shown: [String] = try await browser.value(Self.ids)
        #expect(shown.sorted() == found.map(\.id).sorted())
        try await browser.wait(
            "the revision",
            "document.querySelector('#live').title === `Revision ${Number(arguments[0]).toLocaleString('en')}`",
            "\(head)")
    }
}
