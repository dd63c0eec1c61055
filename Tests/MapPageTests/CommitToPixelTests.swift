// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBrowser
import TestTurns
import Testing

/// From the commit in storage to the frame that shows it. The figures are printed; the bounds here are wide, because
/// other tests may run beside.
@Suite(.inTurn, .inBrowser, .serialized)
struct CommitToPixelTests {
    /// For each change: the time of its commit until the map was drawn again after it had come, in milliseconds. The
    /// message that follows a frame is handled after that frame was handed to the compositor.
    private static let watch = """
        window.seen = []; window.long = [];
        new PerformanceObserver(list => window.long.push(...list.getEntries().map(each => each.duration)))
          .observe({ type: "longtask" });
        const waiting = [];
        const dispatch = EventTarget.prototype.dispatchEvent;
        EventTarget.prototype.dispatchEvent = function (event) {
          const isDone = dispatch.call(this, event);
          if (event.type === "change" && event.detail?.op) waiting.push(Date.parse(event.detail.at));
          return isDone;
        };
        const clear = CanvasRenderingContext2D.prototype.clearRect;
        CanvasRenderingContext2D.prototype.clearRect = function (...rest) {
          const drawn = waiting.splice(0);
          if (drawn.length) {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => { const now = Date.now(); for (const at of drawn) window.seen.push(now - at); port1.close(); };
            port2.postMessage(0);
          }
          return clear.apply(this, rest);
        };
        """

    private struct Figures: Decodable {
        var seen: [Double]
        var long: [Double]
    }

    @Test
    func changesAreDrawnSoon() async throws {
        try await withMap { stage in
            try await withWriters(stage, landmarks: 1_000) { writers in
                let browser = stage.browser
                try await browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": Self.watch])
                try await stage.openPage("#at=9/-33.86/151.21", listing: 100)
                _ = try await writers.change(1_600)
                try await browser.wait("the first changes", "window.seen.length >= 1602")
                try await browser.run("window.seen.length = 0; window.long.length = 0")
                let clock = ContinuousClock()
                let taken = try await clock.measure {
                    _ = try await writers.change(8_000, each: .milliseconds(16))
                }
                try await browser.wait("every change", "window.seen.length >= 8002")
                let found: Figures = try await browser.value("return { seen, long }")
                let sorted = found.seen.sorted()
                let (half, most) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
                let long = found.long.filter { $0 > 100 }
                print("Commit to pixel: \(sorted.count) changes in \(taken), p50 \(half) ms, p99 \(most) ms,")
                print("at most \(sorted.last ?? 0) ms; \(long.count) tasks over 100 ms,")
                print("the longest task \(found.long.max() ?? 0) ms")
                #expect(most < 5_000)
            }
        }
    }
}
