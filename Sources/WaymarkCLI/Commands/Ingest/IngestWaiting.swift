// SPDX-License-Identifier: Apache-2.0

import Glibc
import Ingest
import WaymarkJSON
import WaymarkTransport
import ZeroMQ

/// Tells a person during a fetch that it is waiting, progressing or being retried.
final class IngestWaiting: Sendable {
    /// The milliseconds after which one line is printed if there is no terminal for a progress bar.
    private static let patience: UInt64 = 3_000

    private struct State {
        var came: FetchProgress?
        var isTold = false
    }

    private let place: SourceLocation
    private let output: Output
    private let bar: ProgressBar
    private let state = Locked(State())

    init(_ place: SourceLocation, _ output: Output, _ bar: ProgressBar) {
        (self.place, self.output, self.bar) = (place, output, bar)
    }

    func show(_ progress: FetchProgress) {
        state.withLock { $0.came = progress }
        draw(progress)
    }

    private func draw(_ came: FetchProgress) {
        let all = came.expected.map { " of \(Figures.bytes(UInt64($0)))" } ?? ""
        bar.show(
            "fetching \(Figures.bytes(UInt64(came.bytes)))\(all)",
            came.expected.map { (Double(came.bytes), Double($0)) })
    }

    /// - Parameter time: the milliseconds spent on reading the bytes so far.
    static func reading(_ bytes: UInt64, for time: UInt64) -> String {
        "reading \(Figures.bytes(bytes)), \(Figures.duration(time))"
    }

    func tell(_ retry: FetchRetry) {
        state.withLock { $0.came = nil }
        bar.clear()
        let seconds = Figures.duration(UInt64(retry.wait / .milliseconds(1)))
        output.notice(
            "retry", "\(retry.reason) Attempt \(retry.attempt) of \(retry.of) follows in \(seconds).")
    }

    /// - Parameter milliseconds: the milliseconds since the start.
    func tick(_ milliseconds: UInt64) {
        let state = state.withLock { $0 }
        if let came = state.came { return draw(came) }
        bar.show("waiting for \(Escaping.visible(place.description)), \(Figures.duration(milliseconds))")
        guard !bar.isVisible, !state.isTold, milliseconds >= Self.patience else { return }
        self.state.withLock { $0.isTold = true }
        output.notice("waiting", "Waiting for \(place): nothing has arrived yet.")
    }
}

/// Calls a closure a few times a second until it is ended. It uses its own thread, because the work that it reports on
/// may occupy Swift's whole thread pool.
final class Ticker: Sendable {
    private let isOver = Locked(false)

    /// - Parameter body: called with the milliseconds since the start.
    init(_ body: @escaping @Sendable (UInt64) -> Void) {
        let start = Monotonic.milliseconds
        let isOver = isOver
        startDetachedThread("waymark-ticker") {
            while true {
                usleep(250_000)
                // The lock is held during the call, so that nothing is drawn after the end.
                let ends = isOver.withLock { isOver in
                    if !isOver { body(Monotonic.milliseconds - start) }
                    return isOver
                }
                if ends { return }
            }
        }
    }

    deinit { stop() }

    func stop() { isOver.withLock { $0 = true } }
}
