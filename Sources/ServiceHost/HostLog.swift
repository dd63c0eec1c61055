// SPDX-License-Identifier: Apache-2.0

import Glibc
public import Logging
import Synchronization
import WaymarkTransport

/// The destination and level of a process's log. All loggers of the process share this object, so the level can change
/// while they are in use.
public final class HostLog: Sendable {
    public let service: String
    private let format: Atomic<Bool>
    private let levelIndex: Atomic<Int>
    private let write: @Sendable (String) -> Void

    /// - Parameter write: receives one whole line with its line feed. If nil, lines are written to stderr.
    public init(
        service: String, format: LogFormat = .text, level: Logger.Level = .info,
        write: (@Sendable (String) -> Void)? = nil
    ) {
        self.service = service
        self.format = Atomic(format == .json)
        levelIndex = Atomic(Self.index(of: level))
        self.write = write ?? Self.writeToStandardError
    }

    /// The lowest level that is logged.
    public var level: Logger.Level {
        get { Logger.Level.allCases[levelIndex.load(ordering: .relaxed)] }
        set { levelIndex.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    public var lineFormat: LogFormat {
        get { format.load(ordering: .relaxed) ? .json : .text }
        set { format.store(newValue == .json, ordering: .relaxed) }
    }

    public var logger: Logger { Logger(label: service) { _ in HostLogHandler(log: self) } }

    fileprivate func handle(_ event: LogEvent, _ metadata: Logger.Metadata) {
        let line = LogLine(time: WallClock.milliseconds, event: event, metadata: metadata)
        write((lineFormat == .json ? line.json(service: service) : line.text(service: service)) + "\n")
    }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }

    /// Writes a line in a single system call, so that the lines of several threads do not mix.
    static func writeToStandardError(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                // Nobody can be told that the log cannot be written.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// The swift-log handler of a ``HostLog``.
private struct HostLogHandler: LogHandler {
    let log: HostLog
    var metadata: Logger.Metadata = [:]
    /// The level that was set for this logger; nil if the present level of the process applies.
    var ownLevel: Logger.Level?

    var logLevel: Logger.Level {
        get { ownLevel ?? log.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        log.handle(event, all)
    }
}
