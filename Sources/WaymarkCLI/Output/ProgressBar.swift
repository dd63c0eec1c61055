// SPDX-License-Identifier: Apache-2.0

import Glibc
import WaymarkTransport
import ZeroMQ

/// A line on stderr that is overwritten in place. It appears only on a terminal, and changes no faster than people
/// read.
final class ProgressBar: Sendable {
    private static let pause: UInt64 = 80

    private let sink: any ByteSink
    private let width: Int?
    /// The time of the last drawing in milliseconds; 0 if there is nothing on the terminal to clear.
    private let drawn = Locked<UInt64>(0)

    init(_ output: Output, _ surroundings: Surroundings) {
        sink = output.err
        width = output.format == .text && surroundings.variable("TERM") != "dumb" ? surroundings.errWidth : nil
    }

    /// Whether stderr is a terminal on which the bar can be drawn.
    var isVisible: Bool { width != nil }

    /// - Parameters:
    ///   - label: the text beside the bar, already escaped.
    ///   - share: the finished amount and the whole amount; nil if they are not known.
    func show(_ label: @autoclosure () -> String, _ share: (done: Double, all: Double)? = nil) {
        guard let width else { return }
        let now = Monotonic.milliseconds
        let isDue = drawn.withLock { drawn in
            guard now - drawn >= Self.pause else { return false }
            drawn = now
            return true
        }
        if isDue { try? sink.write(Array("\r\u{1b}[K\(Self.bar(share, label(), width: width))".utf8)) }
    }

    func clear() {
        let isDrawn = drawn.withLock { drawn in
            defer { drawn = 0 }
            return drawn > 0
        }
        if isDrawn { try? sink.write(Array("\r\u{1b}[K".utf8)) }
    }

    /// - Parameter share: the finished amount and the whole amount; nil if they are not known.
    static func bar(_ share: (done: Double, all: Double)?, _ label: String, width: Int) -> String {
        let room = min(40, width - label.count - 4)
        guard let share, share.all > 0, room >= 10 else { return DisplayWidth.cut(label, to: max(1, width - 1)) }
        let filled = Int(min(1, max(0, share.done / share.all)) * Double(room))
        return "[\(String(repeating: "#", count: filled))\(String(repeating: " ", count: room - filled))] \(label)"
    }
}
