// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What a command takes from the world around it, so that a test can give it another one.
struct Surroundings: Sendable {
    var environment: [String: String]
    var out: any ByteSink
    var err: any ByteSink
    /// Columns of the terminal; nil where the stream is none.
    var outWidth: Int?
    var errWidth: Int?
    /// Calls its argument with each line of stdin until it ends. It blocks the thread that it is called on.
    var readLines: @Sendable ((String) -> Void) -> Void = { _ in }
    /// Asks a person and returns the line that they answer, nil at the end of stdin; nil where nobody can be asked. It
    /// blocks the thread that it is called on.
    var ask: (@Sendable (_ question: String) -> String?)?
    /// The terminal's size now; nil where stdout is none.
    var screenSize: @Sendable () -> ScreenSize? = { nil }
    /// Has its argument called whenever the terminal has another size, on a thread of its own.
    var whenResized: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    /// Signals and the life of the process are the command's to decide on. Not in a test.
    var ownsProcess = false

    @TaskLocal static var current = Surroundings.process

    /// The process's own streams and variables.
    static var process: Surroundings {
        Surroundings(
            environment: ProcessInfo.processInfo.environment, out: DescriptorSink(descriptor: STDOUT_FILENO),
            err: DescriptorSink(descriptor: STDERR_FILENO), outWidth: width(of: STDOUT_FILENO),
            errWidth: width(of: STDERR_FILENO), readLines: { body in while let line = readLine() { body(line) } },
            ask: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? ask : nil,
            screenSize: { size(of: STDOUT_FILENO) }, whenResized: { Signals.whenResized($0) }, ownsProcess: true)
    }

    /// A variable that is set to something.
    func variable(_ name: String) -> String? { environment[name]?.nilIfEmpty }

    /// <https://no-color.org>, and a terminal that knows no colour.
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
            errorPainter: Painter(isColoured: allowsColour(colour, isTerminal: errWidth != nil)), width: outWidth)
    }

    @Sendable private static func ask(_ question: String) -> String? {
        try? DescriptorSink(descriptor: STDERR_FILENO).write(Array(question.utf8))
        return readLine()
    }

    private static func width(of descriptor: Int32) -> Int? { size(of: descriptor)?.columns }

    private static func size(of descriptor: Int32) -> ScreenSize? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return ScreenSize(columns: 80, rows: 24)
        }
        return ScreenSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

/// Of a terminal.
struct ScreenSize: Hashable, Sendable {
    var columns: Int
    var rows: Int
}
