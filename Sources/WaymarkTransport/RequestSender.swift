// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// A request as it was submitted, with its completion.
struct Question {
    let header: RequestHeader
    let body: [UInt8]
    let version: UInt8
    let completion: (ChannelOutcome) -> Void
}

/// Encodes the requests that are due, and offers them to a connection.
final class RequestSender {
    typealias Schedule = RequestSchedule<Question>

    private let outbox = Outbox<Schedule.Entry>()
    /// The latest encoded header. Reused so that its capacity is kept.
    private var header = WireWriter()
    /// How many times a request was encoded, counting each copy.
    private(set) var encodings: UInt64 = 0

    /// Returns whether so many due requests must be sent now instead of waiting for more.
    func isDue(_ count: Int) -> Bool { outbox.isDue(count) }

    /// Holds requests back while `body` runs, then calls `flush`.
    func together(_ body: () -> Void, flush: () -> Void) { outbox.together(body, flush: flush) }

    /// Sends the due requests that the connection accepts. The others are encoded again when the socket becomes
    /// writable.
    func flush(_ schedule: inout Schedule, to connection: Connection) {
        while schedule.dueCount > 0 {
            let now = Monotonic.milliseconds
            while !outbox.isFull, let entry = schedule.next(now) { encode(entry, now) }
            guard !outbox.isEmpty else { break }
            offer(&schedule, now, to: connection)
        }
    }

    private func encode(_ entry: Schedule.Entry, _ now: UInt64) {
        header.removeAll()
        entry.request.header.write(sent: max(1, now), timeout: entry.left(at: now), into: &header)
        // The result does not matter, because ``flush(_:to:)`` encodes only messages that it sends at once.
        _ = outbox.add(entry) { message in
            Signature(.request, version: entry.request.version).withBytes { message.append(copying: $0) }
            header.bytes.withUnsafeBytes { message.append(copying: $0) }
            message.append(entry.request.body)
        }
        encodings += 1
    }

    private func offer(_ schedule: inout Schedule, _ now: UInt64, to connection: Connection) {
        var refused: [Schedule.Entry] = []
        var hasFailed = false
        // After an error the remaining requests count as not accepted. The next tick tries them again.
        try? outbox.flush(to: connection.socket) { entry, outcome in
            if outcome == .sent { schedule.sent(entry, at: now) } else { refused.append(entry) }
            if outcome == nil { hasFailed = true }
        }
        guard !refused.isEmpty else { return }
        schedule.blocked(refused)
        // After an error do not wait for the socket, because it would be reported as writable again and again.
        if !hasFailed { connection.isWriting = true }
    }
}
