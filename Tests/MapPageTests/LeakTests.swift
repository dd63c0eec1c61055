// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// A tab that stays open for days.
@Suite(.inTurn, .inBrowser, .serialized)
struct LeakTests {
    private struct Use {
        var bytes: Double
        var nodes: Int
    }

    /// The same landmarks are changed again and again, so that all that grows is a leak.
    @Test
    func tenThousandChangesLeakNothing() async throws {
        try await withMap { stage in
            try await withWriters(stage, landmarks: 80) { writers in
                let browser = stage.browser
                try await stage.openPage("#at=9/-33.86/151.21", listing: 80)
                // What is made once, as compiled code, is there after the first thousands.
                let before = try await use(browser, after: writers.change(2_000))
                var after = try await use(browser, after: writers.change(10_000))
                // A list that was replaced a moment ago, 720 nodes, may be held until the browser has painted again. What
                // leaks stays.
                try await until("it is level: \(before) became \(after)") {
                    if isLevel(before, after) { return true }
                    after = try await use(browser)
                    return isLevel(before, after)
                }
            }
        }
    }

    /// Kept, 10,000 changes would be more than 3 MB.
    private func isLevel(_ before: Use, _ after: Use) -> Bool {
        after.bytes - before.bytes < 1_000_000 && after.nodes - before.nodes < 300
    }

    private func use(_ browser: Browser, after name: String) async throws -> Use {
        try await browser.wait(
            "the last change", "document.querySelector('#list').innerText.includes(arguments[0])", name)
        return try await use(browser)
    }

    private func use(_ browser: Browser) async throws -> Use {
        // What a script of ours returned may be kept until the next one.
        try await browser.run("return")
        struct Heap: Decodable { var usedSize: Double }
        struct Counters: Decodable { var nodes: Int }
        for _ in 0..<3 { try await browser.command("HeapProfiler.collectGarbage") }
        let heap: Heap = try await browser.command("Runtime.getHeapUsage")
        let counters: Counters = try await browser.command("Memory.getDOMCounters")
        return Use(bytes: heap.usedSize, nodes: counters.nodes)
    }
}
