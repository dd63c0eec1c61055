// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Queries that take longer than a turn of the loop should. They take turns of half a millisecond, and between two
/// steps the loop does its other work.
final class SlowReads {
    private let home: Home
    private let answers: Replies
    private let fallback: Fallback
    private var questions = SlowQuestions()
    /// Whether the next step is already scheduled.
    private var isProceeding = false
    /// Queries that took more than one step.
    private(set) var count: UInt64 = 0

    init(home: Home, answers: Replies, fallback: Fallback) {
        (self.home, self.answers, self.fallback) = (home, answers, fallback)
    }

    /// Answers at once if one step is enough.
    func begin(_ answering: any SlowWork, _ request: IncomingRequest) throws(ServiceError) {
        var answering = answering
        if let reply = try answering.proceed() { return answers.answer(request.address, reply) }
        let question = SlowQuestion(
            answering: answering, address: request.address, until: Monotonic.milliseconds + request.remaining,
            request: fallback.isThere ? request : nil)
        guard questions.add(question) else {
            answering.abandon()
            throw ServiceError(.busy, "Too many slow queries are being answered already: try again.", retryAfter: 200)
        }
        count += 1
        answers.assembling += 1
        proceedSoon()
    }

    /// Schedules the next step for the next turn of the loop; at most one in each turn.
    private func proceedSoon() {
        guard !isProceeding else { return }
        isProceeding = true
        home.nextTurn { [weak self] in self?.proceed() }
    }

    private func proceed() {
        isProceeding = false
        guard let server = answers.server,
            let step = questions.step(now: Monotonic.milliseconds, isGone: server.isGone)
        else { return }
        switch step {
        case .more, .dropped: break
        case .answered(let address, let reply): answers.answer(address, reply)
        case .refused(let question, let error):
            if let request = question.request {
                fallback.refuse(request, error)
            } else {
                answers.refuse(question.address, error)
            }
        }
        if case .more = step {} else { answers.assembling -= 1 }
        if questions.count > 0 { proceedSoon() }
    }

    /// Refuses all slow queries, because their replica has been replaced: they scan the old one, while answers carry
    /// the new one's position.
    func refuseAll() {
        for address in questions.removeAll() {
            answers.assembling -= 1
            answers.refuse(
                address,
                ServiceError(
                    .unavailable, "The landmarks were reloaded meanwhile: send the request again.", retryAfter: 50))
        }
    }
}
