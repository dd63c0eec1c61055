// SPDX-License-Identifier: Apache-2.0

import Logging

/// Passes on a library's log lines, except those of a cancelled task. Hummingbird logs its own cancellation as an
/// error, although the code that cancelled the task logs the reason.
struct QuietWhenCancelled: LogHandler {
    private var next: any LogHandler

    private init(_ next: any LogHandler) { self.next = next }

    static func logger(_ logger: Logger, atLeast level: Logger.Level) -> Logger {
        var quiet = Logger(label: logger.label) { _ in QuietWhenCancelled(logger.handler) }
        quiet.logLevel = max(logger.logLevel, level)
        return quiet
    }

    var logLevel: Logger.Level {
        get { next.logLevel }
        set { next.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { next.metadata }
        set { next.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { next[metadataKey: key] }
        set { next[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if !Task.isCancelled { next.log(event: event) }
    }
}
