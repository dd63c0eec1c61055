// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Records when messages arrive from a bus and how large they are, as the lines of a ``LoadRecording``.
public enum BusRecorder {
    /// Records until the time is over, `stop` is asked, or a recording can have no more messages. Call it on a thread
    /// that may block.
    ///
    /// - Parameters:
    ///   - kind: SUB, which subscribes to everything, or PULL.
    ///   - seconds: how long to record.
    ///   - write: called with some lines each time.
    /// - Returns: the number of messages, and the seconds from the first to the last.
    public static func record(
        _ kind: Socket.Kind, at endpoint: String, seconds: Double, stop: LoadStop, write: (String) throws -> Void
    ) throws -> (messages: UInt64, seconds: Double) {
        var options = SocketOptions.client
        options.receiveHighWaterMark = 100_000
        options.ipv6 = EndpointFamily.resolvesToIPv6(endpoint)
        let socket = try Socket(kind, context: Context(), options: options)
        if kind == .sub { try socket.subscribe([]) }
        try socket.connect(endpoint)
        var poller = Poller()
        poller.add(socket)
        var (message, lines) = (Message(), LoadRecording.header)
        var (count, first, last): (UInt64, UInt64, UInt64) = (0, 0, 0)
        let end = NanoClock.now + UInt64(seconds * 1e9)
        func isOver() -> Bool {
            stop.isAsked || NanoClock.now >= end || count >= UInt64(LoadRecording.mostMessages)
        }
        while !isOver() {
            guard try poller.wait(.milliseconds(20)) else { continue }
            while !isOver(), try socket.receive(into: &message) {
                last = NanoClock.now
                if count == 0 { first = last }
                count += 1
                lines += LoadRecording.line(last - first, bytes: min(message.totalByteCount, LoadRecording.largest))
                guard lines.utf8.count > 65_536 else { continue }
                try write(lines)
                lines = ""
            }
        }
        try write(lines)
        return (count, Double(last - first) / 1e9)
    }
}
