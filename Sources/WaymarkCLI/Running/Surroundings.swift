// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The environment of a command: streams, variables, terminal. A test can replace all of it.
struct Surroundings: Sendable {
    var environment: [String: String]
    /// The command's arguments as the person typed them.
    var arguments: [String] = []
    var out: any ByteSink
    var err: any ByteSink
    /// The terminal's width in columns at the start; nil if the stream is no terminal.
    var outWidth: Int?
    var errWidth: Int?
    /// Reads one line of stdin; nil at its end. Blocks the calling thread.
    var readLine: @Sendable () -> String? = { nil }
    /// Asks a person for a secret, as ``ask`` does, but the terminal does not show what they type.
    var askSecret: (@Sendable (_ question: String) -> String?)?
    /// Asks a person a question, and returns the answer; nil at the end of stdin. Blocks the calling thread. The
    /// property itself is nil if there is no terminal.
    var ask: (@Sendable (_ question: String) -> String?)?
    /// The present size of the terminal; nil if stdout is no terminal.
    var screenSize: @Sendable () -> ScreenSize? = { nil }
    /// The present width of stderr's terminal in columns; nil if it is no terminal.
    var errColumns: @Sendable () -> Int? = { nil }
    /// Calls its argument on a separate thread whenever the terminal's size changes.
    var whenResized: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    /// Whether the command may handle signals and end the process; false in tests.
    var ownsProcess = false

    @TaskLocal static var current = Surroundings.process

    /// The environment of the running process.
    static var process: Surroundings {
        Surroundings(
            environment: ProcessInfo.processInfo.environment, out: DescriptorSink(descriptor: STDOUT_FILENO),
            err: DescriptorSink(descriptor: STDERR_FILENO), outWidth: size(of: STDOUT_FILENO)?.columns,
            errWidth: size(of: STDERR_FILENO)?.columns,
            readLine: { LineReader.stdin.next() },
            askSecret: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? SecretPrompt.ask : nil,
            ask: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? ask : nil,
            screenSize: { size(of: STDOUT_FILENO) }, errColumns: { size(of: STDERR_FILENO)?.columns },
            whenResized: { Signals.whenResized($0) }, ownsProcess: true)
    }

    /// Returns the value of a variable; nil if it is unset or empty.
    func variable(_ name: String) -> String? { environment[name]?.nilIfEmpty }

    /// Returns the value of a variable, converted by `read`; nil if it is unset or empty.
    func value<Value>(_ name: String, _ read: (String) throws -> Value) throws(Failure) -> Value? {
        do { return try variable(name).map(read) } catch { throw .usage("\(name) cannot be used: \(error)") }
    }

    /// Whether to use colour. The rules are those of <https://no-color.org>; a dumb terminal gets no colour.
    func allowsColour(_ choice: ColourChoice, isTerminal: Bool) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto: isTerminal && variable("NO_COLOR") == nil && variable("TERM") != "dumb"
        }
    }

    func output(_ format: OutputFormat, _ colour: ColourChoice) -> Output {
        Output(
            format: format, out: out, err: err,
            painter: Painter(isColoured: allowsColour(colour, isTerminal: outWidth != nil)),
            errorPainter: Painter(isColoured: allowsColour(colour, isTerminal: errWidth != nil)),
            columns: { [outWidth, screenSize] in outWidth.map { screenSize()?.columns ?? $0 } })
    }

    @Sendable private static func ask(_ question: String) -> String? {
        try? DescriptorSink(descriptor: STDERR_FILENO).write(Array(question.utf8))
        return LineReader.stdin.next()
    }

    private static func size(of descriptor: Int32) -> ScreenSize? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return ScreenSize(columns: 80, rows: 24)
        }
        return ScreenSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

struct ScreenSize: Hashable, Sendable {
    var columns: Int
    var rows: Int
}
