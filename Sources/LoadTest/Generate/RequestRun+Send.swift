// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Sends operations at their intended times.
extension RequestRun {
    mutating func send(_ now: UInt64) throws(ZeroMQError) -> Bool {
        switch run.shape.loop {
        case .closed(let window): return try fill(window)
        case .open: return try catchUp(now)
        }
    }

    private mutating func fill(_ window: Int) throws(ZeroMQError) -> Bool {
        var hasSent = false
        for client in ports.indices {
            while underWay[client] < window, maySend {
                ports[client].prepare(number + 1)
                let now = NanoClock.now
                guard try begin(client, intended: now) else { break }
                hasSent = true
            }
        }
        return hasSent
    }

    private mutating func catchUp(_ now: UInt64) throws(ZeroMQError) -> Bool {
        var hasSent = false
        // Send a limited number of operations at a time, so that answers are received even if many operations are due.
        for _ in 0..<64 where due <= now && due < run.end && !isAllSent {
            guard flight.hasRoom else {
                run.skip(due)
                advance()
                continue
            }
            turn = (turn + 1) % ports.count
            guard try begin(turn, intended: due) else { break }
            if due >= run.countsFrom, NanoClock.now - due > RequestGenerator.late { run.count(due) { $0.late += 1 } }
            advance()
            hasSent = true
        }
        return hasSent
    }

    private mutating func begin(_ client: Int, intended: UInt64) throws(ZeroMQError) -> Bool {
        guard try ports[client].send(number + 1, intended: intended) else { return false }
        if lastWarm == .max, intended >= run.countsFrom { lastWarm = number }
        number += 1
        let part = ports[client].part
        flight.begin(number, intended: intended, client: client, part: part)
        underWay[client] += 1
        if isCounted(number) { run.count(intended, kind: part) { $0.sent += 1 } }
        return true
    }
}
