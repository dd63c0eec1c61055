// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess

@testable import WaymarkCLI

/// Keeps the written lines, for tasks that wait for them.
final class LineSink: ByteSink {
    private struct Text: Sendable {
        var text = ""
        var taken = 0

        var lines: [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    private let text = Awaited(Text())

    func write(_ bytes: [UInt8]) throws(SinkError) {
        text.update { $0.text += String(decoding: bytes, as: UTF8.self) }
    }

    var all: String { text.now.text }
    var lines: [String] { text.now.lines }

    /// The next line that fits; earlier lines are skipped.
    func next(
        within time: Duration = .seconds(120), where fits: @escaping @Sendable (String) -> Bool = { _ in true }
    ) async throws -> String {
        try await text.wait(time, for: "a line; there are: \(self.lines.suffix(20))") { text in
            let lines = text.lines
            while text.taken < lines.count {
                text.taken += 1
                if fits(lines[text.taken - 1]) { return lines[text.taken - 1] }
            }
            return nil
        }
    }

    /// Returns when the text written so far satisfies the condition.
    func wait(_ time: Duration = .seconds(120), until fits: @escaping @Sendable (String) -> Bool) async throws {
        try await text.wait(time, for: "other text than: \(self.all.suffix(2_000))") { fits($0.text) ? () : nil }
    }
}

/// Lines for a program's stdin.
final class LineSource: Sendable {
    private let ends: [Int32]
    private let reader: LineReader

    init() {
        var ends: [Int32] = [-1, -1]
        // Programs that the test starts later must not hold the pipe open.
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.ends = ends
        reader = LineReader(descriptor: ends[0])
    }

    deinit { close(ends[0]) }

    func put(_ line: String) { try? DescriptorSink(descriptor: ends[1]).write(Array((line + "\n").utf8)) }
    func end() { close(ends[1]) }

    /// Blocks like reading stdin.
    func next() -> String? { reader.next() }
}

/// A long-running command in this process.
final class CLILive: Sendable {
    let out = LineSink()
    let err = LineSink()
    private let task: Task<Int32, Never>

    init(
        _ arguments: [String], environment: [String: String], input: LineSource? = nil, screen: ScreenSize? = nil
    ) {
        var surroundings = Surroundings(environment: environment, out: out, err: err)
        if let input { surroundings.readLine = { input.next() } }
        if let screen {
            surroundings.screenSize = { screen }
            (surroundings.outWidth, surroundings.errWidth) = (screen.columns, nil)
        }
        task = Task { [surroundings] in await WaymarkTool.run(arguments, in: surroundings) }
    }

    /// The exit status, after the command has ended by itself.
    var status: Int32 { get async { await task.value } }

    /// Ends the command.
    func stop() async {
        task.cancel()
        _ = await task.value
    }
}

extension ProcessPair {
    /// Starts a long-running command in this process against these services.
    func live(_ arguments: String..., input: LineSource? = nil, screen: ScreenSize? = nil) -> CLILive {
        CLILive(arguments, environment: variables, input: input, screen: screen)
    }
}
