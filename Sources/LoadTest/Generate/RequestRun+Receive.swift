// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Receives answers, and ends operations that got no answer in time.
extension RequestRun {
    mutating func receive() throws(ZeroMQError) -> Bool {
        var hasReceived = false
        for port in ports {
            for _ in 0..<256 {
                guard let answer = try port.receive() else { break }
                hasReceived = true
                guard let (intended, client, _) = flight.end(answer.number) else {
                    // An operation that timed out earlier has already been counted. Other numbers were never sent.
                    let isForeign = answer.number == 0 || answer.number > number
                    if isForeign, isCounting { run.tally.failed("foreign_answer", at: NanoClock.now) }
                    continue
                }
                underWay[client] -= 1
                guard isCounted(answer.number) else { continue }
                counted += 1
                let now = NanoClock.now
                lastAnswer = now
                let latency = now - min(now, intended)
                run.count(intended, kind: answer.part) { tally in
                    if let error = answer.error {
                        tally.failed(error, at: now)
                    } else {
                        tally.record(latency, bytes: answer.bytes, at: now)
                    }
                }
            }
        }
        return hasReceived
    }

    /// - Parameter isOver: whether operations that could still be answered in time have failed, too.
    mutating func expire(_ now: UInt64, isOver: Bool = false) {
        let latest = isOver ? .max : now - min(now, generator.timeout)
        while let (number, intended, client, part) = flight.expire(before: latest) {
            underWay[client] -= 1
            guard isCounted(number) else { continue }
            counted += 1
            run.count(intended, kind: part) { $0.failed("timed_out", at: now) }
        }
    }
}
