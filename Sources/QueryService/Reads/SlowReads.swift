// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Queries whose answers take too long for one iteration of the event loop. They are answered in steps of half a
/// millisecond, and between two steps the event loop does its other work.
final class SlowReads {
    private let home: Home
    private let answers: Replies
    private let fallback: Fallback
    private var questions = SlowQuestions()
    /// Whether the next step is scheduled.
    private var isProceeding = false
    /// How many queries took more than one step.
    private(set) var count: UInt64 = 0

    init(home: Home, answers: Replies, fallback: Fallback) {
        (self.home, self.answers, self.fallback) = (home, answers, fallback)
    }

    /// Answers a query: at once if one step is enough, otherwise in later iterations of the event loop.
    func begin(_ answering: any SlowWork, _ request: IncomingRequest) throws(ServiceError) {
        var answering = answering
        if let reply = try answering.proceed() { return answers.answer(request.address, reply) }
        let question = SlowQuestion(
            answering: answering, request: request, until: Monotonic.milliseconds + request.remaining)
        guard questions.add(question) else {
            answering.abandon()
            throw ServiceError(.busy, "Too many slow queries are being answered already: try again.", retryAfter: 200)
        }
        count += 1
        answers.assembling += 1
        proceedSoon()
    }

    /// Schedules the next step for the next iteration of the event loop, unless a step is already scheduled.
    private func proceedSoon() {
        guard !isProceeding else { return }
        isProceeding = true
        home.nextTurn { [weak self] in self?.proceed() }
    }

    private func proceed() {
        isProceeding = false
        guard let server = answers.server else { return }
        if let (question, result) = questions.step(now: Monotonic.milliseconds, isGone: server.isGone) {
            switch result {
            case .success(let reply)?: answers.answer(question.address, reply)
            case .failure(let error)?: fallback.refuse(question.request, error)
            case nil: break
            }
            answers.assembling -= 1
        }
        if questions.count > 0 { proceedSoon() }
    }

    /// Refuses all slow queries, because their replica has been replaced. They scan the old replica, but an answer
    /// would carry the position of the new replica.
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
