// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Tells events: on stdout among the changes, or as a line on stderr, of which there are never many.
final class TailReporter: Sendable {
    private struct Told {
        var at: ContinuousClock.Instant
        var kept: UInt64 = 0
    }

    private static let pause = Duration.seconds(1)

    private let output: Output
    private let format: ChangeFormat
    private let isControl: Bool
    private let isQuiet: Bool
    private let told = Locked<[String: Told]>([:])

    init(_ output: Output, as format: ChangeFormat, _ options: TailOutputOptions) {
        (self.output, self.format) = (output, format)
        (isControl, isQuiet) = (options.control, options.quiet)
    }

    func tell(_ event: TailEvent) throws(SinkError) {
        if format == .json, case .synced = event { return try output.object { event.write(to: &$0) } }
        if isControl, event.isControl {
            if format == .json { return try output.object { event.write(to: &$0) } }
            return try output.line("# " + event.message)
        }
        switch event {
        // It is over when `resumed` is told.
        case .gap: break
        // What was asked for and is not printed is always told.
        case .compacted, .older: notice(event, event.message)
        case .following, .synced: if !isQuiet { notice(event, event.message) }
        case .lost, .resumed: if !isQuiet { noticeNowAndThen(event) }
        }
    }

    private func noticeNowAndThen(_ event: TailEvent) {
        let now = ContinuousClock.now
        let kept: UInt64? = told.withLock { told in
            if let last = told[event.code], now - last.at < Self.pause {
                told[event.code]?.kept += 1
                return nil
            }
            defer { told[event.code] = Told(at: now) }
            return told[event.code]?.kept ?? 0
        }
        guard let kept else { return }
        notice(event, event.message + (kept > 0 ? " (and \(kept) times more since this was told last)" : ""))
    }

    private func notice(_ event: TailEvent, _ message: String) {
        output.notice(event.code, message) { event.details(to: &$0) }
    }
}
