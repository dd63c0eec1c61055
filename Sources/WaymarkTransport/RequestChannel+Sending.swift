// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

/// Sends requests.
extension RequestChannel {
    /// Sends what is due, as far as the connection accepts it. What it does not accept is encoded and offered again when
    /// the socket becomes writable.
    public func flush() {
        // Most calls find nothing to send, and then the clock is not read.
        while schedule.dueCount > 0 {
            let now = Monotonic.milliseconds
            while !outbox.isFull, let entry = schedule.next(now) { encode(entry, now) }
            guard !outbox.isEmpty else { break }
            offer(now)
        }
    }

    func becameWritable() {
        watch?.isWriting = false
        schedule.unblock()
        flush()
    }

    func encode(_ entry: RequestSchedule<Question>.Entry, _ now: UInt64) {
        let question = entry.request
        header.removeAll()
        question.header.write(sent: max(1, now), timeout: entry.left(at: now), into: &header)
        // Whether it is due does not matter: ``flush()`` encodes only what leaves at once.
        _ = outbox.add(entry) { message in
            Signature(.request, version: question.version).withBytes { message.append(copying: $0) }
            header.bytes.withUnsafeBytes { message.append(copying: $0) }
            message.append(question.body)
        }
        encodings += 1
    }

    func offer(_ now: UInt64) {
        var refused: [RequestSchedule<Question>.Entry] = []
        var hasFailed = false
        // After an error the remaining requests count as not accepted, and the sweep tries them again.
        try? socket?.send(outbox) { entry, outcome in
            if outcome == .sent { schedule.sent(entry, at: now) } else { refused.append(entry) }
            if outcome == nil { hasFailed = true }
        }
        guard !refused.isEmpty else { return }
        schedule.blocked(refused)
        // A socket that fails would be reported as writable again and again.
        if !hasFailed { watch?.isWriting = true }
    }
}
