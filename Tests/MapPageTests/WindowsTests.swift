// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestBrowser
import TestTurns
import TestWeb
import Testing
import ZeroMQ

/// Many windows of one browser, which opens at most six connections to a host.
@Suite(.inTurn, .inBrowser, .serialized)
struct WindowsTests {
    private static let isThere = "window.revisions.at(-1) >= Number(arguments[0])"

    @Test
    func tenWindowsShareOneStream() async throws {
        try await withMetrics { stage, port in
            try await stage.addHarbour()
            let (browser, id) = (stage.browser, try await stage.add("Ferry", -33.86, 151.21))
            var windows = [try await browser.window()]
            for number in 0..<10 {
                if number > 0 { windows.append(try await browser.newWindow()) }
                try await openPage(stage, "#at=12/-33.86/151.21", listing: 6)
            }
            #expect(try await metric("waymark_web_readers", port) == 1)

            // While changes flow, the window that opened the stream is closed, and then another one.
            let first = try await stage.head()
            let isOver = Locked(false)
            async let written: Void = {
                for number in 0... {
                    let answer = try await stage.ask("PATCH", "/v1/landmarks/\(id)", ["name": "Ferry \(number)"])
                    if answer.status != 200 || Task.isCancelled || isOver.withLock({ $0 }) { break }
                }
            }()
            for closed in [0, 4] {
                try await browser.turn(to: windows[closed])
                try await browser.closeWindow()
                try await browser.turn(to: windows[9])
                try await browser.run("window.before = window.revisions.length")
                try await browser.wait("further changes", "window.revisions.length > window.before + 20")
            }
            isOver.withLock { $0 = true }
            try await written
            let head = try await stage.head()
            for (number, window) in windows.enumerated() where ![0, 4].contains(number) {
                try await browser.turn(to: window)
                try await browser.wait("the last change", Self.isThere, "\(head)")
                let told: [Int] = try await browser.value("return window.revisions")
                #expect(told == Array(first + 1...head), "window \(number)")
            }
            #expect(try await metric("waymark_web_readers", port) == 1)
            try await stage.expectNoComplaints()
        }
    }

    @Test
    func aHungServiceShowsWithinTenSeconds() async throws {
        try await withHarbour { stage, browser in
            let query = stage.query.withLock { $0 }
            query.send(SIGSTOP)
            let taken = try await ContinuousClock().measure {
                try await browser.wait("the loss", "document.querySelector('#live').dataset.state === 'reconnecting'")
            }
            #expect(taken < .seconds(10))
            query.send(SIGCONT)
            try await browser.wait("the live page", "document.querySelector('#live').dataset.state === 'live'")
            try await stage.add("Kiosk", -33.87, 151.22)
            try await stage.listed(6)
        }
    }

    /// 200 changes a second around Sydney's harbour, and a window that looks at Paris, and then at Sydney.
    @Test
    func changesElsewhereCostLittleAndNoneIsLost() async throws {
        try await withMetrics { stage, port in
            try await withWriters(stage, landmarks: 80) { writers in
                let (browser, pause) = (stage.browser, Duration.milliseconds(80))
                try await openPage(stage, "#at=11/48.85/2.35", listing: 80)
                let before = try await metric("waymark_web_answer_bytes_total", port)
                let taken = try await ContinuousClock().measure { _ = try await writers.change(3_000, each: pause) }
                let bytes = try await metric("waymark_web_answer_bytes_total", port) - before
                print("Changes elsewhere: \(bytes) bytes in \(taken)")
                #expect(bytes / (taken / .seconds(1)) < 17_000)
                #expect(try await browser.value("return window.revisions.length < 1_000"))

                // The rows of the list are those far away.
                async let written = writers.change(3_000, each: pause)
                let renewals: Int = try await browser.value("return window.renewals")
                try await browser.choose("change")
                try await browser.wait("the view of it", "window.renewals > Number(arguments[0])", "\(renewals)")
                _ = try await written
                _ = try await writers.change(400)
                let head = try await stage.head()
                try await browser.wait("the last change", Self.isThere, "\(head)")
                let told: [Int] = try await browser.value("return window.revisions")
                #expect(told.suffix(402) == Array(head - 401...head)[...])
                let names = try await stage.landmarks().map(\.name).joined(separator: "|")
                try await browser.wait("the names", "\(OutageTests.names) === arguments[0]", names)
            }
        }
    }

    /// Opens the page in the present window, with a record of what it is told.
    private func openPage(_ stage: MapStage, _ hash: String, listing count: Int) async throws {
        try await stage.browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": OutageTests.watch])
        try await stage.openPage(hash, listing: count)
    }

    /// - Parameter body: gets the port of the service's metrics, too.
    private func withMetrics(_ body: (MapStage, UInt16) async throws -> Void) async throws {
        let port = try Ports.free()
        try await withMap(settings: "http:\n  listen: 127.0.0.1:\(port)\n") { try await body($0, port) }
    }

    private func metric(_ name: String, _ port: UInt16) async throws -> Double {
        let text = try await PlainHTTP.request(port: port, "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return try #require(Double(line?.split(separator: " ").last ?? ""))
    }
}
