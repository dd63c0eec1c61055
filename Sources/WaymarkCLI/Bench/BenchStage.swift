// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Glibc
import LoadTest
import ServiceHost
import ZeroMQ

/// The surroundings of a load test: its output, the display of its progress, and the signals that end it early. After
/// the first SIGINT, SIGTERM, SIGHUP (closed terminal) or SIGQUIT the test still reports its results so far, and stops
/// the services that it started.
final class BenchStage: Sendable {
    let surroundings: Surroundings
    let output: Output
    let live: BenchLive
    /// In a worker, the coordinator asks.
    let stop = BenchShare.current?.stop ?? LoadStop()
    private let signal = Locked<Int32>(0)
    private let directory = Locked<String?>(nil)
    private let closers = Locked<[@Sendable () async -> Void]>([])

    private init(_ surroundings: Surroundings, _ printing: OutputOptions) {
        self.surroundings = surroundings
        output = surroundings.output(printing.format, printing.color)
        live = BenchLive(surroundings)
        guard surroundings.ownsProcess else { return }
        Signals.endTheProcess(others: [SIGHUP, SIGQUIT])
        // Writing to a closed pipe must not end the process, because the started services have to be stopped first.
        Glibc.signal(SIGPIPE, SIG_IGN)
        // Each connection takes one or two file descriptors.
        OpenFiles.raiseLimit()
        Signals.atFirst { [stop, signal] number in
            signal.withLock { $0 = number }
            stop.ask()
        } beforeSecondEnds: { [directory] in
            guard let path = directory.withLock({ $0 }) else { return }
            // A service that is being killed may still create a file while the folder is removed, so try again.
            for _ in 0..<20 where FileManager.default.fileExists(atPath: path) {
                try? FileManager.default.removeItem(atPath: path)
                usleep(10_000)
            }
        }
    }

    /// Calls `body`, and returns once the display has written everything.
    static func run(_ printing: OutputOptions, _ body: (BenchStage) async throws -> Void) async throws {
        let stage = BenchStage(.current, printing)
        do {
            try await body(stage)
        } catch {
            await stage.close()
            // An interruption may itself cause an error, for example in a stopped service. Such an error is no failure.
            throw stage.exitCode ?? error
        }
        await stage.close()
    }

    /// Registers what is to be closed at the end of the test, also after an error. The last registered is closed first.
    func atEnd(_ close: @escaping @Sendable () async -> Void) { closers.withLock { $0.append(close) } }

    private func close() async {
        for closer in closers.withLock({ $0 }).reversed() { await closer() }
        await live.close()
    }

    /// Registers a directory to remove if a second signal ends the process early.
    func removeAtEnd(_ path: String) { directory.withLock { $0 = path } }

    /// The exit code of an interrupted test, as in a shell: 130 after SIGINT, 143 after SIGTERM. Nil without a signal.
    var exitCode: ExitCode? {
        let number = signal.withLock { $0 }
        return number > 0 ? ExitCode(128 + number) : nil
    }
}

/// The display during a load test, and its metrics. On a terminal's stderr there is one line for each second, and below
/// them the status: a bar, the figures of the last second, and what is left.
final class BenchLive: Sendable {
    private struct Screen {
        typealias Status = (share: (done: Double, all: Double), text: String)

        var label = ""
        var shape = LoadShape(loop: .closed(window: 1))
        var done: UInt64 = 0
        var failed: UInt64 = 0
        var status: Status?
        /// The number of columns that the status takes on the terminal.
        var columns = 0

        /// Adds a second of the run. The status is then how much is done, the figures, and what is left.
        mutating func add(_ number: Int, _ second: Tally.Second) {
            done += second.done
            failed += second.failed
            let (share, unit): ((done: Double, all: Double), String) =
                switch shape.end {
                case .duration(let seconds): ((done: Double(number), all: seconds), " s")
                case .count(let count): ((done: Double(done + failed), all: Double(count)), "")
                }
            var left = Figures.count(UInt64(max(0, share.all - share.done).rounded(.up))) + unit + " left"
            if let parts = shape.profile?.parts, let part = shape.profile?.part(at: Double(number)) {
                left += ", part \(part + 1) of \(parts.count): \(parts[part].label)"
            }
            let words = [
                "\(label): \(Figures.count(second.done))/s", "p50 \(LoadQuantity.text(second.p50, .microseconds))",
                "p99 \(LoadQuantity.text(second.p99, .microseconds))", Figures.count(failed, "error", "errors"), left,
            ]
            status = (share, words.joined(separator: ", "))
        }
    }

    private let screen = Locked(Screen())
    /// Returns the present width of the terminal in columns; nil if there is none.
    private let width: @Sendable () -> Int?
    private let texts: AsyncStream<String>.Continuation
    /// Writes the texts, because a terminal that stops reading must not stop the load generator.
    private let writing: Task<Void, Never>
    let metrics = BenchMetrics()

    init(_ surroundings: Surroundings) {
        let (stream, texts) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1_000))
        self.texts = texts
        writing = Task { for await text in stream { try? surroundings.err.write(Array(text.utf8)) } }
        guard let first = surroundings.errWidth, surroundings.variable("TERM") != "dumb" else {
            width = { nil }
            return
        }
        width = { surroundings.errColumns() ?? first }
        surroundings.whenResized { self.draw() }
    }

    func begin(_ label: String, _ shape: LoadShape) {
        metrics.begin(label)
        draw { $0 = Screen(label: label, shape: shape, status: ((0, 1), "\(label): warming up"), columns: $0.columns) }
    }

    func tell(_ number: Int, _ second: Tally.Second) {
        metrics.tell(second)
        draw(Self.line(number, second)) { $0.add(number, second) }
    }

    /// Shows the progress of preparations before the load starts.
    func prepare(_ label: String, done: Int, of all: Int) {
        draw { $0.status = ((Double(done), Double(max(1, all))), "\(label): \(done) of \(all)") }
    }

    func end() {
        metrics.end()
        draw { $0.status = nil }
    }

    /// Returns once all output is written.
    func close() async {
        metrics.stop()
        draw { $0.status = nil }
        texts.finish()
        await writing.value
    }

    /// Changes the status, and draws it again below a line.
    private func draw(_ line: String? = nil, _ change: (inout Screen) -> Void = { _ in }) {
        guard let width = self.width().map({ max(1, $0) }) else { return }
        screen.withLock { screen in
            // A terminal that became narrower has wrapped the status.
            let rows = max(0, screen.columns - 1) / width
            let start = rows > 0 ? "\r\u{1b}[\(rows)A\u{1b}[J" : "\r\u{1b}[K"
            change(&screen)
            let status = screen.status.map { ProgressBar.bar($0.share, $0.text, width: width) } ?? ""
            screen.columns = DisplayWidth.of(status)
            texts.yield(start + (line.map { DisplayWidth.cut($0, to: width - 1) + "\n" } ?? "") + status)
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
