// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Prints events on stdout among the changes, or as lines on stderr at a limited rate.
final class TailReporter: Sendable {
    private static let pause = Duration.seconds(1)

    private let output: Output
    private let options: TailOutputOptions
    private let lastNotices = Locked<[String: (at: ContinuousClock.Instant, suppressed: UInt64)]>([:])

    init(_ output: Output, _ options: TailOutputOptions) {
        (self.output, self.options) = (output, options)
    }

    func tell(_ event: TailEvent) throws(SinkError) {
        // In JSON this event tells programs that the snapshot is complete, so it is always printed.
        let endsSnapshot = output.format == .json && event.code == "synced"
        if endsSnapshot || options.control && event.isControl {
            guard output.format == .json else { return try output.line("# " + event.message) }
            return try output.object {
                $0.field("type", event.code)
                event.details(&$0)
            }
        }
        switch event.telling {
        case .never: break
        case .always: notice(event, event.message)
        case .unlessQuiet: if !options.quiet { notice(event, event.message) }
        case .nowAndThen: if !options.quiet { noticeNowAndThen(event) }
        }
    }

    private func noticeNowAndThen(_ event: TailEvent) {
        let now = ContinuousClock.now
        let suppressed: UInt64? = lastNotices.withLock { lastNotices in
            if let last = lastNotices[event.code], now - last.at < Self.pause {
                lastNotices[event.code]?.suppressed += 1
                return nil
            }
            defer { lastNotices[event.code] = (at: now, suppressed: 0) }
            return lastNotices[event.code]?.suppressed ?? 0
        }
        guard let suppressed else { return }
        notice(event, event.message + (suppressed > 0 ? " (and \(suppressed) more since the last one)" : ""))
    }

    private func notice(_ event: TailEvent, _ message: String) {
        output.notice(event.code, message, event.details)
    }
}
