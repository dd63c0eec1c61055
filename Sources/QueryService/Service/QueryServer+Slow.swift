// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import WaymarkTransport

/// A question that takes more than one go, and who waits for its answer.
struct SlowQuestion {
    var answering: Answering
    let address: ReplyAddress
    /// The monotonic millisecond after which nobody waits any more.
    let until: UInt64
}

/// Questions that take longer than a turn of the loop should: each gets half a millisecond, one after the other, and
/// between any two of those the loop does whatever else there is.
extension QueryServer {
    private static let mostSlow = 256

    /// Answers now if that is quickly done.
    func begin(_ answering: Answering, _ request: IncomingRequest) throws(ServiceError) {
        var answering = answering
        if let reply = try answering.proceed() { return answer(request.address, reply) }
        guard slow.count < Self.mostSlow else {
            answering.abandon()
            throw ServiceError(.busy, "Too many questions that take long are asked at once.", retryAfter: 200)
        }
        counters.slow += 1
        answersUnderWay += 1
        slow.append(
            SlowQuestion(
                answering: answering, address: request.address, until: Monotonic.milliseconds + request.remaining))
        if slow.count == 1 { proceedSoon() }
    }

    /// In the next turn: what a job adds is not done in the same one.
    private func proceedSoon() {
        loop.submit { [weak self] in self?.assumeIsolated { $0.proceed() } }
    }

    private func proceed() {
        guard var question = slow.popFirst() else { return }
        if step(&question) { answersUnderWay -= 1 } else { slow.append(question) }
        if !slow.isEmpty { proceedSoon() }
    }

    /// - Returns: whether it has ended.
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

    /// They ask a replica that is not the one any more of whose position answers tell.
    func refuseSlow() {
        while var question = slow.popFirst() {
            question.answering.abandon()
            answersUnderWay -= 1
            refuse(
                question.address,
                ServiceError(.unavailable, "The landmarks were loaded anew meanwhile: ask again.", retryAfter: 50))
        }
    }
}
