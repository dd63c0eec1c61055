// SPDX-License-Identifier: Apache-2.0

import Glibc
import Ingest
import WaymarkJSON
import WaymarkTransport
import ZeroMQ

/// A line on stderr that is overwritten in place. It appears only on a terminal, and is not updated faster than
/// people read.
final class ProgressBar: Sendable {
    enum Step {
        /// Nothing has arrived yet, after this many milliseconds.
        case waiting(String, for: UInt64)
        case fetching(FetchProgress)
        /// This many bytes have been read, after this many milliseconds.
        case reading(UInt64, for: UInt64)
        case sending(Int, of: Int)
        case receiving(UInt64, of: UInt64)
        /// Storage is making a copy, since this many milliseconds.
        case copying(for: UInt64)
    }

    private static let pause: UInt64 = 80

    private let sink: any ByteSink
    private let width: Int?
    /// The time of the last drawing; 0 while there is nothing to clear.
    private let drawn = Locked<UInt64>(0)

    init(_ output: Output, _ surroundings: Surroundings) {
        sink = output.err
        width = output.format == .text && surroundings.variable("TERM") != "dumb" ? surroundings.errWidth : nil
    }

    /// Whether there is a terminal to draw on.
    var isVisible: Bool { width != nil }

    func show(_ step: Step) {
        guard let width else { return }
        let now = Monotonic.milliseconds
        let isDue = drawn.withLock { drawn in
            guard now - drawn >= Self.pause else { return false }
            drawn = now
            return true
        }
        if isDue { try? sink.write(Array("\r\u{1b}[K\(Self.line(step, width: width))".utf8)) }
    }

    func clear() {
        let isDrawn = drawn.withLock { drawn in
            defer { drawn = 0 }
            return drawn > 0
        }
        if isDrawn { try? sink.write(Array("\r\u{1b}[K".utf8)) }
    }

    static func line(_ step: Step, width: Int) -> String {
        let (label, done, all): (String, Int, Int?) =
            switch step {
            case .waiting(let place, let time):
                ("waiting for \(Escaping.visible(place)), \(Figures.duration(time))", 0, nil)
            case .reading(let bytes, let time): ("reading \(Figures.bytes(bytes)), \(Figures.duration(time))", 0, nil)
            case .fetching(let progress):
                (
                    "fetching " + Figures.bytes(UInt64(progress.bytes))
                        + (progress.expected.map { " of \(Figures.bytes(UInt64($0)))" } ?? ""),
                    progress.bytes, progress.expected
                )
            case .sending(let done, let all):
                ("\(Figures.count(UInt64(done))) of \(Figures.count(UInt64(all))) rows", done, all)
            case .receiving(let done, let all):
                ("\(Figures.bytes(done)) of \(Figures.bytes(all))", Int(clamping: done), Int(clamping: all))
            case .copying(let time): ("storage makes a copy, \(Figures.duration(time))", 0, nil)
            }
        return bar(all.map { (Double(done), Double($0)) }, label, width: width)
    }

    /// - Parameter share: what is done, of all; nil if that is not known.
    static func bar(_ share: (done: Double, all: Double)?, _ label: String, width: Int) -> String {
        let room = min(40, width - label.count - 4)
        guard let share, share.all > 0, room >= 10 else { return DisplayWidth.cut(label, to: max(1, width - 1)) }
        let filled = Int(min(1, max(0, share.done / share.all)) * Double(room))
        return "[\(String(repeating: "#", count: filled))\(String(repeating: " ", count: room - filled))] \(label)"
    }
}
