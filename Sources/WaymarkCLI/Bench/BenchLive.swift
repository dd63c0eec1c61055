// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WebServer

/// The display during a load test, and its metrics. On a terminal's stderr there is one line for each second, and below
/// them the status: a bar, the figures of the last second, and what is left.
///
/// A separate task writes the display, because a terminal that stops reading must not stop the load generator.
final class BenchLive: Sendable {
    private enum Event: Sendable {
        case began(String, LoadShape)
        case second(Int, Tally.Second)
        case preparing(String, done: Int, of: Int)
        case resized
        case ended
    }

    private let events: AsyncStream<Event>.Continuation
    private let writing: Task<Void, Never>
    private let metrics = BenchMetrics()

    init(_ surroundings: Surroundings) {
        let (stream, events) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1_000))
        self.events = events
        guard let first = surroundings.errWidth, surroundings.variable("TERM") != "dumb" else {
            writing = Task {}
            return
        }
        surroundings.whenResized { events.yield(.resized) }
        writing = Task {
            var screen = BenchScreen { surroundings.errColumns() ?? first }
            for await event in stream { try? surroundings.err.write(Array(screen.show(event).utf8)) }
        }
    }

    /// Serves the metrics at an address until ``close()``.
    func serve(at address: ListenAddress?, _ output: Output) async throws {
        guard let address else { return }
        let bound = try await metrics.serve(at: address)
        output.notice("metrics", "The metrics are at http://\(bound)/metrics.")
    }

    func begin(_ label: String, _ shape: LoadShape) {
        metrics.begin(label)
        events.yield(.began(label, shape))
    }

    func tell(_ number: Int, _ second: Tally.Second) {
        metrics.tell(second)
        events.yield(.second(number, second))
    }

    /// Shows the progress of preparations before the load starts.
    func prepare(_ label: String, done: Int, of all: Int) { events.yield(.preparing(label, done: done, of: all)) }

    /// Removes the status.
    func end() {
        metrics.end()
        events.yield(.ended)
    }

    /// Returns once all output is written.
    func close() async {
        metrics.stop()
        events.yield(.ended)
        events.finish()
        await writing.value
    }

    /// Builds the text of each event.
    private struct BenchScreen {
        typealias Status = (share: (done: Double, all: Double), text: String)

        /// Returns the present width of the terminal in columns.
        let width: @Sendable () -> Int
        private var label = ""
        private var shape = LoadShape(loop: .closed(window: 1))
        private var done: UInt64 = 0
        private var failed: UInt64 = 0
        private var status: Status?
        /// The number of columns that the status takes on the terminal.
        private var columns = 0

        init(_ width: @escaping @Sendable () -> Int) {
            self.width = width
        }

        mutating func show(_ event: Event) -> String {
            let width = max(1, width())
            // A terminal that became narrower has wrapped the status.
            let rows = max(0, columns - 1) / width
            var text = rows > 0 ? "\r\u{1b}[\(rows)A\u{1b}[J" : "\r\u{1b}[K"
            switch event {
            case .began(let label, let shape):
                (self.label, self.shape, done, failed) = (label, shape, 0, 0)
                status = ((0, 1), "\(label): warming up")
            case .second(let number, let second):
                done += second.done
                failed += second.failed
                text += DisplayWidth.cut(BenchLive.line(number, second), to: width - 1) + "\n"
                status = progress(number, second)
            case .preparing(let label, let done, let all):
                status = ((Double(done), Double(max(1, all))), "\(label): \(done) of \(all)")
            case .resized: break
            case .ended: status = nil
            }
            let line = status.map { ProgressBar.bar($0.share, $0.text, width: width) } ?? ""
            columns = DisplayWidth.of(line)
            return text + line
        }

        /// Returns the status after a second of the run: how much is done, the figures, and what is left.
        private func progress(_ number: Int, _ second: Tally.Second) -> Status {
            let share: (done: Double, all: Double)
            var left: String
            switch shape.end {
            case .duration(let seconds):
                share = (Double(number), seconds)
                left = "\(Figures.count(UInt64(max(0, share.all - share.done).rounded(.up)))) s left"
            case .count(let count):
                share = (Double(done + failed), Double(count))
                left = "\(Figures.count(UInt64(max(0, share.all - share.done)))) left"
            }
            if let parts = shape.profile?.parts, let part = shape.profile?.part(at: Double(number)) {
                left += ", part \(part + 1) of \(parts.count): \(parts[part].label)"
            }
            let words = [
                "\(label): \(Figures.count(second.done))/s", "p50 \(LoadQuantity.text(second.p50, .microseconds))",
                "p99 \(LoadQuantity.text(second.p99, .microseconds))", Figures.count(failed, "error", "errors"), left,
            ]
            return (share, words.joined(separator: ", "))
        }
    }

    static func line(_ number: Int, _ second: Tally.Second) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let failed = second.failed > 0 ? "   \(Figures.count(second.failed, "error", "errors"))" : ""
        return padded("\(number)", 4) + " s " + padded(Figures.count(second.done) + "/s", 14)
            + "   p50 " + padded(LoadQuantity.text(second.p50, .microseconds), 8)
            + "   p99 " + padded(LoadQuantity.text(second.p99, .microseconds), 8) + failed
    }
}
