// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestBrowser
import TestTurns
import Testing
import WaymarkClient
import ZeroMQ

/// People who sign in, each with a browser.
@Suite("Accounts in the page", .inTurn, .inBrowser, .serialized)
struct AccountPageTests {
    private static let dialog = "document.querySelector('#dialog')"

    private static func password(_ name: String) -> String { "secret of \(name)" }

    /// The page of somebody who has not signed in.
    private static func open(_ stage: MapStage) async throws {
        // So that the page is loaded anew.
        try await stage.browser.open("about:blank")
        try await stage.browser.open("\(stage.address)/#at=12/-33.86/151.21")
        try await stage.browser.wait("the form", "\(dialog)?.innerText.includes('Sign in')")
    }

    private static func signIn(_ stage: MapStage, _ name: String, code: String? = nil) async throws {
        let browser = stage.browser
        try await browser.type(name)
        try await browser.press(.tab)
        try await browser.type(password(name))
        try await browser.press(.tab)
        if let code { try await browser.type(code) }
        try await browser.press(.enter)
        try await browser.wait("the live page", "document.querySelector('#live')?.dataset.state === 'live'")
        let told: String = try await browser.value(
            "return document.querySelector('#person').getAttribute('aria-label')")
        #expect(told == "Signed in as \(name)")
    }

    private static func buttons(_ stage: MapStage) async throws -> [String] {
        try await stage.browser.value(
            "return [...document.querySelectorAll('#detail button')].map(each => each.textContent)")
    }

    private static func picture(_ stage: MapStage, _ name: String) async throws {
        guard let path = ProcessInfo.processInfo.environment["WAYMARK_BROWSER_PICTURES"] else { return }
        try await stage.browser.picture("\(path)/\(name).png")
    }

    @Test("each edits their own, is refused the other's, the moderator may; whose session ends is sent away")
    func people() async throws {
        try await withMap(accounts: true) { stage in
            let context = try Context()
            // Storage's own key is that of its machine.
            let own = try KeyFile(path: stage.directory + "/data/storage.key").keys
            let machine = try await WaymarkClient(
                .init(
                    endpoint: "ipc://\(stage.directory)/s", timeout: .seconds(30),
                    keys: ClientKeys(own: own, server: own.publicKey, ofStorage: true)), context: context)
            var codes: [String: String] = [:]
            for (name, role) in [("ann", Role.user), ("bob", .user), ("mod", .moderator)] {
                codes[name] = try await machine.createAccount(name, role).code
            }
            let folder = stage.directory + "/other"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let other = MapStage(
                browser: try await Browser(directory: folder), directory: stage.directory, port: stage.port,
                storage: stage.storage, query: stage.query)
            do {
                try await Self.meet(stage, other, machine, codes)
            } catch {
                await other.browser.stop()
                await machine.close()
                throw error
            }
            await other.browser.stop()
            await machine.close()
            context.terminate()
        }
    }

    private static func meet(
        _ stage: MapStage, _ other: MapStage, _ machine: WaymarkClient, _ codes: [String: String]
    ) async throws {
        try await open(stage)
        // The form cannot be left.
        try await stage.browser.press(.escape)
        try await stage.browser.press(.escape)
        // A browser may close it at the second one, and the page opens it again.
        try await stage.browser.wait("the form", "\(dialog)?.open")
        try await picture(stage, "sign-in")
        try await signIn(stage, "ann", code: codes["ann"])
        try await stage.browser.choose("Add here")
        try await stage.browser.wait("the form", LandmarkForm.isOpen)
        try await stage.browser.type("Luna Park")
        try await stage.browser.press(.enter)
        try await stage.browser.wait("hers", "document.querySelector('#detail h2')?.textContent === 'Luna Park'")
        #expect(try await buttons(stage).contains("Edit"))

        try await open(other)
        try await signIn(other, "bob", code: codes["bob"])
        try await other.listed(1)
        try await other.browser.choose("Luna Park")
        try await other.browser.wait("the landmark", "!document.querySelector('#detail').hidden")
        let his = try await buttons(other)
        #expect(!his.contains("Edit") && !his.contains("Remove") && his.contains("Add a note"))
        try await picture(other, "another's landmark")
        try await expectNoDrag(other)
        // What the page does not offer the service refuses too.
        let refused: String = try await other.browser.value(
            """
            return (async () => {
              const { landmarks: [each] } = await (await fetch('/v1/landmarks')).json();
              const answer = await fetch(`/v1/landmarks/${each.id}`, { method: 'PATCH', body: '{"name":"mine"}',
                headers: { 'Content-Type': 'application/json', 'Waymark-User': 'ann' } });
              return `${answer.status} ${(await answer.json()).code}`;
            })()
            """)
        #expect(refused == "403 denied")
        try await other.browser.choose("Add a note")
        try await other.browser.wait("the form", LandmarkForm.isOpen)
        try await other.browser.type("Too loud at night")
        try await other.browser.tab(to: "Save")
        try await other.browser.press(.enter)
        try await stage.browser.wait(
            "bob's note", "document.querySelector('#detail .note')?.innerText.includes('loud')")
        #expect(try await !buttons(stage).contains("Edit note"))
        #expect(try await buttons(other).contains("Edit note"))

        // The cookie is out of reach of scripts.
        #expect(try await other.browser.value("return document.cookie") == "")
        // Ten windows of one account are live, and are sent away together.
        let first = try await other.browser.window()
        var windows: [String] = []
        for _ in 1..<10 {
            windows.append(try await other.browser.newWindow())
            try await other.openPage(listing: 1)
        }
        try await addKiosk(stage)
        for window in windows + [first] {
            try await other.browser.turn(to: window)
            try await other.listed(2)
        }
        try await other.browser.choose("Signed in as bob")
        // A failure is told within the dialog, because everything outside it is inert.
        try await other.browser.run(
            """
            const ask = fetch;
            window.fetch = (path, options) => options?.method === 'DELETE'
              ? Promise.resolve(Response.json({ code: 'internal', detail: 'At line 7.' }, { status: 500 })) : ask(path, options);
            window.mend = () => { window.fetch = ask; };
            """)
        try await other.browser.choose("Sign out")
        try await other.browser.wait(
            "the failure", "\(dialog).querySelector('#notice')?.textContent.includes('The service failed at this')")
        try await other.browser.run("mend()")
        try await other.browser.choose("Sign out")
        try await other.browser.wait("the form", "\(dialog)?.innerText.includes('Password')")
        for window in windows {
            try await other.browser.turn(to: window)
            try await other.browser.wait("the form", "\(dialog)?.innerText.includes('Password')")
        }
        try await other.browser.turn(to: first)
        try await other.browser.type("mod")
        try await other.browser.press(.tab)
        try await other.browser.type("not the password")
        try await other.browser.press(.enter)
        try await other.browser.wait("the refusal", "\(dialog)?.innerText.includes('password is wrong')")
        try await open(other)
        try await signIn(other, "mod", code: codes["mod"])
        try await other.listed(2)
        try await other.browser.choose("Luna Park")
        try await other.browser.wait("the landmark", "!document.querySelector('#detail').hidden")
        try await other.browser.choose("Edit")
        try await other.browser.wait("the form", LandmarkForm.isOpen)
        try await other.browser.pressControl("a")
        try await other.browser.type("Moon Park")
        try await other.browser.press(.enter)
        try await stage.browser.wait("the name", "document.querySelector('#detail h2')?.textContent === 'Moon Park'")

        // The window of whoever is sent away shows nothing any more.
        for key in try await machine.keys(of: "ann") { try await machine.endKey(key.key) }
        try await stage.browser.wait("the form", "\(dialog)?.innerText.includes('Password')")
        #expect(try await stage.browser.value("return document.querySelectorAll('#list li').length") == 0)
        try await signIn(stage, "ann")
        try await stage.expectNoComplaints(but: ["401", "403"])
        try await other.expectNoComplaints(but: ["401", "403"])
    }

    private static func addKiosk(_ stage: MapStage) async throws {
        let status: Int = try await stage.browser.value(
            """
            return (async () => {
              const body = JSON.stringify({ name: 'Kiosk', lat: -33.87, lng: 151.22 });
              return (await fetch('/v1/landmarks', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })).status;
            })()
            """)
        #expect(status == 201)
    }

    /// A drag of another's pin, which lies in the middle of the map, moves the map.
    private static func expectNoDrag(_ stage: MapStage) async throws {
        let browser = stage.browser, before: String = try await browser.value("return location.hash")
        struct Point: Decodable {
            var x: Double
            var y: Double
        }
        let middle: Point = try await browser.value(
            """
            const box = document.querySelector('#map').getBoundingClientRect();
            return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
            """)
        let steps = [("mousePressed", 0.0, 1), ("mouseMoved", 40, 1), ("mouseMoved", 80, 1), ("mouseReleased", 80, 0)]
        for (type, far, buttons) in steps {
            try await browser.command(
                "Input.dispatchMouseEvent",
                [
                    "type": type, "x": middle.x + far, "y": middle.y, "button": "left", "buttons": buttons,
                    "clickCount": 1,
                ])
            try await browser.run("return new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        }
        try await browser.wait("the moved map", "location.hash !== arguments[0]", before)
        #expect(try await browser.value("return !document.querySelector('#notice').innerText.includes('move it')"))
    }
}
