// SPDX-License-Identifier: Apache-2.0

import DequeModule
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// The computation of an answer, which may take several steps.
protocol SlowWork {
    /// Works on the answer for about half a millisecond at most.
    ///
    /// - Returns: the answer; nil if more steps are needed.
    mutating func proceed() throws(ServiceError) -> SlowAnswer?
    /// Ends the computation, because the answer is no longer wanted.
    mutating func abandon()
}

/// The result of a ``SlowWork``; also an answer that takes no further work.
enum SlowAnswer: SlowWork {
    /// Hits that point into the replica's memory, so they are valid until the replica changes.
    case hits(HitsReply)
    /// An encoded `Reply`.
    case encoded([UInt8])

    func proceed() -> SlowAnswer? { self }
    func abandon() {}
}

extension Replies {
    func answer(_ address: ReplyAddress, _ answer: SlowAnswer) {
        switch answer {
        case .hits(let reply): self.answer(address, reply)
        case .encoded(let body): self.answer(address, body)
        }
    }

    func answer(_ address: ReplyAddress, _ reply: HitsReply) {
        answer(address, byteCount: reply.byteCount) { reply.write(to: $0) }
    }
}

/// A query whose answer takes several steps, and its request, which another service may have to answer.
struct SlowQuestion {
    var answering: any SlowWork
    let request: IncomingRequest
    /// The deadline of the request, in milliseconds on the monotonic clock.
    let until: UInt64

    var address: ReplyAddress { request.address }
}

/// Queries whose answers take several steps. Each query in turn does one step. Their number is limited.
struct SlowQuestions {
    private static let most = 256
    private var waiting: Deque<SlowQuestion> = []

    var count: Int { waiting.count }

    /// Adds a query. Returns false if the queue is full. The caller then has to abandon the query.
    mutating func add(_ question: SlowQuestion) -> Bool {
        guard waiting.count < Self.most else { return false }
        waiting.append(question)
        return true
    }

    /// Does one step of the next query.
    ///
    /// - Parameters:
    ///   - now: the monotonic time in milliseconds.
    ///   - isGone: whether the client's connection has ended.
    /// - Returns: the query if the step has ended it, with its answer, which is valid until the replica changes. The
    ///   answer is nil if the request's deadline has passed, or its client has gone. The whole is nil if no query
    ///   waits, or if this one needs more steps.
    mutating func step(
        now: UInt64, isGone: (ReplyAddress) -> Bool
    ) -> (question: SlowQuestion, result: Result<SlowAnswer, ServiceError>?)? {
        guard var question = waiting.popFirst() else { return nil }
        guard now < question.until, !isGone(question.address) else {
            question.answering.abandon()
            return (question, nil)
        }
        do throws(ServiceError) {
            if let reply = try question.answering.proceed() { return (question, .success(reply)) }
        } catch {
            return (question, .failure(error))
        }
        waiting.append(question)
        return nil
    }

    /// Abandons all queries.
    ///
    /// - Returns: the addresses to which their answers would have been sent.
    mutating func removeAll() -> [ReplyAddress] {
        var addresses: [ReplyAddress] = []
        while var question = waiting.popFirst() {
            question.answering.abandon()
            addresses.append(question.address)
        }
        return addresses
    }
}
