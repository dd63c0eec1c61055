// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Answers, and operations that get none.
extension RequestRun {
    mutating func receive() throws(ZeroMQError) -> Bool {
        var hasReceived = false
        for port in ports {
            for _ in 0..<256 {
                guard let answer = try port.receive() else { break }
                hasReceived = true
                // An operation that timed out is counted already.
                guard let (intended, client, _) = flight.end(answer.number) else { continue }
                underWay[client] -= 1
                guard isCounted(answer.number) else { continue }
                counted += 1
                let now = NanoClock.now
                lastAnswer = now
                let latency = now - min(now, intended)
                Self.count(answer, latency, at: now, in: &tally)
                if answer.part < parts.count { Self.count(answer, latency, at: now, in: &parts[answer.part]) }
            }
        }
        return hasReceived
    }

    private static func count(_ answer: RequestAnswer, _ latency: UInt64, at now: UInt64, in tally: inout Tally) {
        if let error = answer.error {
            tally.failed(error, at: now)
        } else {
            tally.record(latency, bytes: answer.bytes, at: now)
        }
    }

    mutating func expire(_ now: UInt64) {
        while let (number, client, part) = flight.expire(before: now - min(now, generator.timeout)) {
            underWay[client] -= 1
            guard isCounted(number) else { continue }
            counted += 1
            tally.failed("timed_out", at: now)
            if part < parts.count { parts[part].failed("timed_out", at: now) }
        }
    }
}
