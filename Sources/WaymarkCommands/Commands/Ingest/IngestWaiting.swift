// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import WaymarkTransport
import ZeroMQ

/// What a person sees while a source is fetched: that it is waited for, that it comes, that it is tried again.
final class IngestWaiting: Sendable {
    /// Where there is no terminal to draw on, one line after so many milliseconds.
    private static let patience: UInt64 = 3_000

    private struct State {
        var came: FetchProgress?
        var isTold = false
    }

    private let place: SourceLocation
    private let output: Output
    private let bar: ProgressBar
    private let state = Locked(State())
    private let ticker = Locked<Ticker?>(nil)

    init(_ place: SourceLocation, _ limits: FetchLimits, _ output: Output, _ bar: ProgressBar) {
        (self.place, self.output, self.bar) = (place, output, bar)
        ticker.withLock { $0 = Ticker { [weak self] in self?.tick($0) } }
    }

    func end() { ticker.withLock { $0?.stop() } }

    func show(_ progress: FetchProgress) {
        state.withLock { $0.came = progress }
        bar.show(.fetching(progress))
    }

    func tell(_ retry: FetchRetry) {
        state.withLock { $0.came = nil }
        bar.clear()
        let seconds = Figures.duration(UInt64(retry.wait / .milliseconds(1)))
        output.notice(
            "retry", "\(retry.reason) Attempt \(retry.attempt) of \(retry.of) follows in \(seconds).")
    }

    private func tick(_ milliseconds: UInt64) {
        let state = state.withLock { $0 }
        if let came = state.came { return bar.show(.fetching(came)) }
        bar.show(.waiting(place.description, for: milliseconds))
        guard !bar.isVisible, !state.isTold, milliseconds >= Self.patience else { return }
        self.state.withLock { $0.isTold = true }
        output.notice("waiting", "Waiting for \(place): nothing has come yet.")
    }
}

/// Calls back a few times a second, on a thread of its own, as long as something lasts: Swift's pool may be busy with
/// just that.
final class Ticker: Sendable {
    private let isOver = Locked(false)

    /// - Parameter body: gets the milliseconds since the beginning.
    init(_ body: @escaping @Sendable (UInt64) -> Void) {
        let start = Monotonic.milliseconds
        let isOver = isOver
        Thread.detachNewThread {
            while true {
                Thread.sleep(forTimeInterval: 0.25)
                // Under the lock: nothing is drawn after the end.
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
