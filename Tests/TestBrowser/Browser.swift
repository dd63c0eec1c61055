// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A browser without a screen, with a profile of its own.
public final class Browser: Sendable {
    private let driver: ChromeDriver
    private let session: String
    private let directory: String

    private struct Session: Decodable { var sessionId: String }

    /// - Parameters:
    ///   - directory: an existing folder; the profile and the logs are made in it.
    ///   - size: of the window, in pixels.
    public init(directory: String, size: (width: Int, height: Int) = (1280, 860)) async throws {
        guard let browser = BrowserInstallation.browser else { throw BrowserError("chromium is not installed") }
        self.directory = directory
        driver = try await ChromeDriver(directory: directory)
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--user-data-dir=\(directory)/profile", "--window-size=\(size.width),\(size.height)",
            "--enable-precise-memory-info",
        ]
        let wanted: [String: Any] = [
            "browserName": "chrome", "timeouts": ["script": 60_000, "pageLoad": 60_000],
            "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": ["binary": browser, "args": arguments],
        ]
        do {
            let made = try await driver.ask(
                "POST", "/session", ["capabilities": ["alwaysMatch": wanted]], as: Session.self)
            session = made.sessionId
        } catch {
            await driver.stop()
            throw error
        }
    }

    /// Ends exactly this browser and its driver.
    public func stop() async {
        _ = try? await driver.ask("DELETE", "/session/\(session)", as: Nothing.self)
        await driver.stop()
    }

    func ask<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, as: Value.Type = Value.self
    ) async throws -> Value {
        try await driver.ask(method, "/session/\(session)\(path)", body, as: Value.self)
    }

    public func open(_ address: String) async throws {
        _ = try await ask("POST", "/url", ["url": address], as: Nothing.self)
    }

    /// The value of a script's `return`. `arguments[0]` and so on are the arguments; a promise is awaited.
    public func value<Value: Decodable>(
        _ script: String, _ arguments: String..., as: Value.Type = Value.self
    ) async throws -> Value {
        try await ask("POST", "/execute/sync", ["script": script, "args": arguments], as: Value.self)
    }

    public func run(_ script: String, _ arguments: String...) async throws {
        _ = try await ask("POST", "/execute/sync", ["script": script, "args": arguments], as: Nothing.self)
    }

    /// A command of the browser's own protocol (CDP).
    public func command<Value: Decodable>(
        _ command: String, _ parameters: [String: any Sendable] = [:], as: Value.Type = Value.self
    ) async throws -> Value {
        try await ask("POST", "/goog/cdp/execute", ["cmd": command, "params": parameters], as: Value.self)
    }

    public func command(_ command: String, _ parameters: [String: any Sendable] = [:]) async throws {
        let _: Nothing = try await self.command(command, parameters)
    }

    /// Waits until a script's value is true.
    public func wait(_ what: String, _ script: String, _ arguments: String...) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let isSo = try await ask(
                "POST", "/execute/sync", ["script": "return Boolean(\(script))", "args": arguments], as: Bool.self)
            if isSo { return }
            try await Task.sleep(for: .milliseconds(40))
        }
        let text: String = try await value("return document.body.innerText")
        let line = text.split(separator: "\n").joined(separator: " | ")
        throw BrowserError("\(what) did not come; the page says: \(line.prefix(1_500))")
    }

    /// Opens a window beside the present one, and turns to it.
    public func newWindow() async throws -> String {
        struct Window: Decodable { var handle: String }
        let made = try await ask("POST", "/window/new", ["type": "window"], as: Window.self)
        try await turn(to: made.handle)
        return made.handle
    }

    public func window() async throws -> String { try await ask("GET", "/window") }

    public func turn(to window: String) async throws {
        _ = try await ask("POST", "/window", ["handle": window], as: Nothing.self)
    }

    /// Closes the present window. Another one has to be turned to.
    public func closeWindow() async throws { _ = try await ask("DELETE", "/window", as: Nothing.self) }

    /// The console's warnings and errors since the last call.
    public func complaints() async throws -> [String] {
        struct Line: Decodable {
            var level: String
            var message: String
        }
        return try await ask("POST", "/se/log", ["type": "browser"], as: [Line].self)
            .filter { $0.level == "SEVERE" || $0.level == "WARNING" }.map(\.message)
    }

    /// Writes a picture of the page as PNG.
    public func picture(_ path: String) async throws {
        let text: String = try await ask("GET", "/screenshot")
        try Data(base64Encoded: text)?.write(to: URL(fileURLWithPath: path))
    }
}
