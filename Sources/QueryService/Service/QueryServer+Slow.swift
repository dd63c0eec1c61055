// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// Queries that take longer than a turn of the loop should. Each gets half a millisecond in turn, and between two
/// steps the loop does its other work.
extension QueryServer {
    /// Answers at once if one step is enough.
    func begin(_ answering: any SlowWork, _ request: IncomingRequest) throws(ServiceError) {
        var answering = answering
        if let reply = try answering.proceed() { return answer(request.address, reply) }
        let question = SlowQuestion(
            answering: answering, address: request.address, until: Monotonic.milliseconds + request.remaining,
            request: elsewhere == nil ? nil : request)
        guard work.slow.add(question) else {
            answering.abandon()
            throw ServiceError(.busy, "Too many slow queries are being answered already.", retryAfter: 200)
        }
        counters.slow += 1
        work.assembling += 1
        proceedSoon()
    }

    /// Runs in the next turn of the loop, as jobs that a job adds do; once in each turn.
    private func proceedSoon() {
        guard !work.isProceeding else { return }
        work.isProceeding = true
        loop.submit { [weak self] in self?.assumeIsolated { $0.proceed() } }
    }

    private func proceed() {
        work.isProceeding = false
        guard let server, let step = work.slow.step(now: Monotonic.milliseconds, isGone: server.isGone) else { return }
        switch step {
        case .more: break
        case .answered(let address, let reply): answer(address, reply)
        case .refused(let question, let error):
            if let request = question.request { refuse(request, error) } else { refuse(question.address, error) }
        case .dropped: break
        }
        if case .more = step {} else { work.assembling -= 1 }
        if work.slow.count > 0 { proceedSoon() }
    }

    /// Refuses the slow queries: they scan a replica that has been replaced, while answers carry the new one's
    /// position.
    func refuseSlow() {
        for address in work.slow.removeAll() {
            work.assembling -= 1
            refuse(
                address,
                ServiceError(
                    .unavailable, "The landmarks were reloaded meanwhile: send the request again.", retryAfter: 50))
        }
    }
}
