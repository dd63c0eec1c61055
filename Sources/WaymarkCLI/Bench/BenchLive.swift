// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// The display during a load test, only on a terminal's stderr: one line for each second, and a progress bar below.
///
/// A separate task writes the display, because a terminal that stops reading must not stop the load generator.
final class BenchLive: Sendable {
    private enum Event: Sendable {
        case began(String, LoadShape.End)
        case second(Int, Tally.Second)
        case preparing(String, done: Int, of: Int)
        case ended
    }

    private let events: AsyncStream<Event>.Continuation
    private let writing: Task<Void, Never>

    init(_ surroundings: Surroundings) {
        let (stream, events) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1_000))
        self.events = events
        let width = surroundings.variable("TERM") == "dumb" ? nil : surroundings.errWidth
        let sink = surroundings.err
        writing = Task {
            guard let width else { return }
            var screen = BenchScreen(width: width)
            for await event in stream { try? sink.write(Array(screen.show(event).utf8)) }
        }
    }

    func begin(_ label: String, _ end: LoadShape.End) { events.yield(.began(label, end)) }

    func tell(_ number: Int, _ second: Tally.Second) { events.yield(.second(number, second)) }

    /// Shows the progress of preparations before the load starts.
    func prepare(_ label: String, done: Int, of all: Int) { events.yield(.preparing(label, done: done, of: all)) }

    /// Removes the bar.
    func end() { events.yield(.ended) }

    /// Returns once all output is written.
    func close() async {
        events.yield(.ended)
        events.finish()
        await writing.value
    }

    /// Builds the text of each event.
    private struct BenchScreen {
        let width: Int
        private var label = ""
        private var end = LoadShape.End.duration(seconds: 1)
        private var done: UInt64 = 0

        init(width: Int) {
            self.width = width
        }

        mutating func show(_ event: Event) -> String {
            switch event {
            case .began(let label, let end):
                (self.label, self.end, done) = (label, end, 0)
                return clear + bar(0, of: 1, "\(label): warming up")
            case .second(let number, let second):
                done += second.done + second.failed
                return clear + DisplayWidth.cut(BenchLive.line(number, second), to: width - 1) + "\n" + progress(number)
            case .preparing(let label, let done, let all):
                return clear + bar(Double(done), of: Double(max(1, all)), "\(label): \(done) of \(all)")
            case .ended: return clear
            }
        }

        private let clear = "\r\u{1b}[K"

        private func progress(_ number: Int) -> String {
            switch end {
            case .duration(let seconds):
                bar(Double(number), of: seconds, "\(label): \(number) of \(Figures.number(seconds)) s")
            case .count(let count): bar(Double(done), of: Double(count), "\(label): \(done) of \(count)")
            }
        }

        private func bar(_ done: Double, of all: Double, _ text: String) -> String {
            ProgressBar.bar((done, all), text, width: width)
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
