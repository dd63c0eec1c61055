// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestBrowser
import TestTurns
import TestWeb
import Testing
import ZeroMQ

/// Storage and query as processes, and a browser.
struct MapStage: Sendable {
    let browser: Browser
    let directory: String
    let port: UInt16
    let storage: Locked<Program>
    let query: Locked<Program>

    var address: String { "http://127.0.0.1:\(port)" }
    var endpoint: String { "ipc://\(directory)/q" }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: true)

    /// - Parameter arguments: further flags.
    static func startStorage(_ directory: String, _ arguments: [String] = []) throws -> Program {
        try Program(
            "\(Products.folder)/waymark-storage",
            [
                "--data", "\(directory)/data", "--listen", "ipc://\(directory)/s", "--changes", "ipc://\(directory)/c",
                "--beacon", "300ms", "--disk-reserve", "0",
            ] + arguments, directory: directory, log: "\(directory)/storage.log")
    }

    /// - Parameters:
    ///   - name: of its own endpoint and its file.
    ///   - settings: further lines of its configuration, each with its end.
    static func startQuery(
        _ directory: String, port: UInt16, name: String = "q", settings: String = ""
    ) throws -> Program {
        // A file without sources, so that it does not find another configuration.
        let rates = "rates:\n  url: file:\(repository)/config/rates.json\n"
        try Data("listen: ipc://\(directory)/\(name)\n\(rates)\(settings)".utf8).write(
            to: URL(fileURLWithPath: "\(directory)/\(name).yaml"))
        return try Program(
            "\(Products.folder)/waymark-query",
            [
                "--config", "\(directory)/\(name).yaml", "--storage", "ipc://\(directory)/s", "--changes",
                "ipc://\(directory)/c", "--web-listen", "127.0.0.1:\(port)",
            ], directory: directory, log: "\(directory)/query.log")
    }

    /// A call of the command line.
    func waymark(_ words: String...) throws -> Program {
        try Program(
            "\(Products.folder)/waymark", words, environment: ["WAYMARK_CONNECT": endpoint], directory: directory,
            log: nil)
    }

    /// Waits until the interface answers.
    func awaitService() async throws {
        let log = "\(directory)/query.log"
        try await until("the service answers: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")") {
            let answer = try? await ask("GET", "/v1/near?lat=0&lng=0")
            return answer?.status == 200 || answer?.status == 401
        }
    }

    func ask(
        _ method: String, _ path: String, user: String = "ann", _ body: [String: any Sendable]? = nil
    ) async throws -> PlainHTTP.Answer {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let name = user.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await PlainHTTP.request(
            method, port: port, path, headers: ["content-type": "application/json", "waymark-user": name],
            body: text ?? "")
    }

    struct Seen: Decodable, Hashable {
        struct Note: Decodable, Hashable { var text: String }
        var id: String
        var name: String
        var lat: Double
        var lng: Double
        var kind: String?
        var link: String?
        var user: String?
        var notes: [Note]?
    }

    /// Everything that the database has, by name.
    func landmarks() async throws -> [Seen] {
        struct Page: Decodable { var landmarks: [Seen] }
        let answer = try await ask("GET", "/v1/landmarks?limit=1000")
        return try JSONDecoder().decode(Page.self, from: Data(answer.text.utf8)).landmarks.sorted { $0.name < $1.name }
    }

    /// The database's latest revision.
    func head() async throws -> Int {
        struct Page: Decodable { var rev: Int }
        return try JSONDecoder().decode(Page.self, from: Data(try await ask("GET", "/v1/near?lat=0&lng=0").text.utf8))
            .rev
    }

    func landmark(_ id: String) async throws -> Seen {
        try JSONDecoder().decode(Seen.self, from: Data(try await ask("GET", "/v1/landmarks/\(id)").text.utf8))
    }

    /// - Returns: the id.
    @discardableResult
    func add(_ name: String, _ lat: Double, _ lng: Double, kind: String? = nil, user: String = "ann") async throws
        -> String
    {
        struct Made: Decodable { var id: String }
        var body: [String: any Sendable] = ["name": name, "lat": lat, "lng": lng]
        if let kind { body["kind"] = kind }
        let answer = try await ask("POST", "/v1/landmarks", user: user, body)
        guard answer.status == 201 else { throw BrowserError("not added: \(answer.text)") }
        return try JSONDecoder().decode(Made.self, from: Data(answer.text.utf8)).id
    }

    /// Opens the page, and waits until it is live and lists this many.
    func openPage(_ hash: String = "", listing count: Int) async throws {
        try await browser.open("\(address)/\(hash)")
        try await browser.wait("the live page", "document.querySelector('#live')?.dataset.state === 'live'")
        try await listed(count)
    }

    func listed(_ count: Int) async throws {
        try await browser.wait(
            "a list of \(count)", "document.querySelectorAll('#list li').length === Number(arguments[0])", "\(count)")
    }

    /// The page told the console nothing.
    ///
    /// - Parameter known: words of what the browser itself says of answers that are refused.
    func expectNoComplaints(but known: [String] = []) async throws {
        let complaints = try await browser.complaints().filter { line in !known.contains { line.contains($0) } }
        #expect(complaints.isEmpty, "\(complaints)")
    }

    /// The person's name is asked for once, and kept by the browser.
    func introduce(_ name: String = "Maya") async throws {
        try await browser.run("localStorage.setItem('waymark-user', arguments[0])", name)
        // The next address differs by more than its hash, so that the page is loaded again.
        try await browser.open("about:blank")
    }
}

/// Runs `body` with services that have no landmarks, and a browser; stops them in any case.
///
/// - Parameters:
///   - settings: further lines of the query service's configuration.
///   - accounts: whether they are required.
func withMap(
    settings: String = "", accounts: Bool = false, _ body: (MapStage) async throws -> Void
) async throws {
    var template = Array("/tmp/wm-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BrowserError("no folder") }
    let directory = String(cString: made)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let port = try Ports.free()
    let file = "\(directory)/service.key"
    let flags = accounts ? ["--accounts", "required", "--keys-service", file] : []
    let storage = Locked(try MapStage.startStorage(directory, flags))
    defer { storage.withLock { $0 }.slay() }
    let lines = accounts ? "accounts: required\nkeys:\n  service: \(file)\n" : ""
    try await until("storage has made the key") { !accounts || FileManager.default.fileExists(atPath: file) }
    let query = Locked(try MapStage.startQuery(directory, port: port, settings: settings + lines))
    defer { query.withLock { $0 }.slay() }
    let browser = try await Browser(directory: directory)
    let stage = MapStage(browser: browser, directory: directory, port: port, storage: storage, query: query)
    do {
        try await stage.awaitService()
        try await body(stage)
    } catch {
        if let path = ProcessInfo.processInfo.environment["WAYMARK_BROWSER_PICTURES"] {
            try? await browser.picture("\(path)/\(Test.current?.name ?? "test").png")
        }
        await browser.stop()
        throw error
    }
    await browser.stop()
}

/// Runs `body` with five landmarks around Sydney's harbour, all of them in the list of the open page.
///
/// - Parameters:
///   - isIntroduced: whether the person has given a name before.
///   - count: how many the page lists.
func withHarbour(
    _ hash: String = "#at=12/-33.86/151.21", isIntroduced: Bool = false, count: Int = 5,
    _ body: (MapStage, Browser) async throws -> Void
) async throws {
    try await withMap { stage in
        try await stage.addHarbour()
        if isIntroduced {
            try await stage.browser.open(stage.address)
            try await stage.introduce()
        }
        try await stage.openPage(hash, listing: count)
        try await body(stage, stage.browser)
    }
}

extension MapStage {
    /// Five places: three beaches of two people, and two others.
    func addHarbour() async throws {
        try await add("Opera House", -33.8568, 151.2153, kind: "building")
        try await add("Bondi Beach", -33.889967, 151.27644, kind: "beach")
        try await add("Manly Beach", -33.797151, 151.288784, kind: "beach", user: "bob")
        try await add("Coogee Beach", -33.9205, 151.2577, kind: "beach", user: "bob")
        try await add("Luna Park", -33.8476, 151.2098, kind: "park", user: "bob")
    }
}

extension Browser {
    /// Presses a button of a box, as soon as it is there.
    func press(_ button: String, in box: String) async throws {
        let all = "[...document.querySelectorAll(arguments[0] + ' button')]"
        try await wait(button, "\(all).some((each) => each.textContent === arguments[1])", box, button)
        try await run("\(all).find((each) => each.textContent === arguments[1]).click()", box, button)
    }
}
