// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import WaymarkTransport

/// A query that takes more than one step, and the address for its answer.
struct SlowQuestion {
    var answering: Answering
    let address: ReplyAddress
    /// The monotonic time in milliseconds after which nobody waits for the answer.
    let until: UInt64
}

/// Queries that take longer than a turn of the loop should. Each gets half a millisecond in turn, and between two
/// steps the loop does its other work.
extension QueryServer {
    private static let mostSlow = 256

    /// Answers at once if one step is enough.
    func begin(_ answering: Answering, _ request: IncomingRequest) throws(ServiceError) {
        var answering = answering
        if let reply = try answering.proceed() { return answer(request.address, reply) }
        guard slow.count < Self.mostSlow else {
            answering.abandon()
            throw ServiceError(.busy, "Too many slow queries are being answered already.", retryAfter: 200)
        }
        counters.slow += 1
        answersUnderWay += 1
        slow.append(
            SlowQuestion(
                answering: answering, address: request.address, until: Monotonic.milliseconds + request.remaining))
        if slow.count == 1 { proceedSoon() }
    }

    /// Runs in the next turn of the loop, as jobs that a job adds do.
    private func proceedSoon() {
        loop.submit { [weak self] in self?.assumeIsolated { $0.proceed() } }
    }

    private func proceed() {
        guard var question = slow.popFirst() else { return }
        if step(&question) { answersUnderWay -= 1 } else { slow.append(question) }
        if !slow.isEmpty { proceedSoon() }
    }

    /// - Returns: whether the query has ended.
    private func step(_ question: inout SlowQuestion) -> Bool {
        guard let server, !server.isGone(question.address), Monotonic.milliseconds < question.until else {
            question.answering.abandon()
            return true
        }
        do throws(ServiceError) {
            guard let reply = try question.answering.proceed() else { return false }
            answer(question.address, reply)
        } catch {
            refuse(question.address, error)
        }
        return true
    }

    /// Refuses the slow queries: they scan a replica that has been replaced, while answers carry the new one's
    /// position.
    func refuseSlow() {
        while var question = slow.popFirst() {
            question.answering.abandon()
            answersUnderWay -= 1
            refuse(
                question.address,
                ServiceError(
                    .unavailable, "The landmarks were reloaded meanwhile: send the request again.", retryAfter: 50))
        }
    }
}
