// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The lines that a child writes to one of its streams, read by a thread as they arrive.
public final class ChildLines: Sendable {
    private struct Text: Sendable {
        var lines: [String] = []
        /// How many lines ``next(within:where:)`` has taken.
        var taken = 0
        var isOver = false
    }

    private let text = Awaited(Text())
    private let name: String
    private let pid: pid_t

    /// - Parameters:
    ///   - descriptor: the reading end of a pipe or a terminal, closed when the program ends; nil if there are no
    ///     lines.
    ///   - pid: the program.
    init(_ descriptor: CInt?, _ name: String, of pid: pid_t) {
        (self.name, self.pid) = (name, pid)
        guard let descriptor else {
            text.update { $0.isOver = true }
            return
        }
        Thread.detachNewThread { [text] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // A closed terminal gives EIO at its other side.
                if count <= 0 { break }
                rest += buffer[..<count]
                guard let end = rest.lastIndex(of: 10) else { continue }
                let lines = rest[..<end].split(separator: 10, omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self) }
                rest.removeSubrange(...end)
                text.update { $0.lines += lines }
            }
            close(descriptor)
            let last = rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)]
            text.update {
                $0.lines += last
                $0.isOver = true
            }
        }
    }

    /// All lines so far.
    public var all: [String] { text.now.lines }

    /// All lines, after the program has closed the stream.
    public func complete(within time: Duration = .seconds(120)) async throws -> [String] {
        try await text.wait(time, for: "the end of \(name)\n\(Standstill.report(self.pid))") {
            $0.isOver ? $0.lines : nil
        }
    }

    /// The next line that fits; earlier lines are skipped.
    public func next(
        within time: Duration = .seconds(120), where fits: @escaping @Sendable (String) -> Bool = { _ in true }
    ) async throws -> String {
        try await line(within: time) { text in
            while text.taken < text.lines.count {
                text.taken += 1
                if fits(text.lines[text.taken - 1]) { return text.lines[text.taken - 1] }
            }
            return nil
        }
    }

    /// The first line that fits, of all. Unlike ``next(within:where:)`` it skips none for later calls: parts of a
    /// program that start beside one another write their lines in any order.
    public func first(
        within time: Duration = .seconds(120), where fits: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        try await line(within: time) { $0.lines.first(where: fits) }
    }

    private func line(
        within time: Duration, _ find: @escaping @Sendable (inout Text) -> String?
    ) async throws -> String {
        let line: String?? = try await text.wait(
            time, for: "a line of \(name); it has: \(self.tail)\n\(Standstill.report(self.pid))"
        ) { text in
            if let line = find(&text) { return .some(line) }
            return text.isOver ? .some(nil) : nil
        }
        guard let line = line ?? nil else { throw Overdue(description: "\(name) ended without the line: \(tail)") }
        return line
    }

    /// The last lines, for messages.
    public var tail: String { all.suffix(20).joined(separator: "\n") }
}
