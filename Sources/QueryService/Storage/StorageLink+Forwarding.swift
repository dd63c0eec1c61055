// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// Clients' requests that are forwarded to storage.
struct Forwarding {
    /// The maximum number of requests in flight: as many as some commits hold. More requests wait here, where
    /// connections take turns. In storage, the next request of another client would have to wait for all of them.
    static let most = 4_096

    var queued = ForwardQueue()
    var inFlight = 0
    /// The number of requests forwarded so far.
    var count: UInt64 = 0
    /// The number of forwarded requests that got no answer in time.
    var timedOut: UInt64 = 0
}

extension StorageLink {
    /// Forwards a request to storage unchanged, and passes the answer on to the client.
    func forward(_ request: IncomingRequest) {
        guard forwarding.inFlight >= Forwarding.most || !forwarding.queued.isEmpty else {
            return passOn(request, request.remaining)
        }
        guard forwarding.queued.add(request) else {
            return answers.refuse(request.address, .tooManyWait)
        }
    }

    /// Forwards requests that have waited for room.
    private func forwardQueued() {
        while forwarding.inFlight < Forwarding.most, let request = forwarding.queued.next() {
            let waited = (Monotonic.nanoseconds - request.address.received) / 1_000_000
            // A request is dropped if its client has gone, or will send it again with the same number.
            guard waited < request.remaining, answers.server?.isGone(request.address) == false else { continue }
            passOn(request, request.remaining - waited)
        }
    }

    func refuseQueued(_ error: ServiceError) {
        while let request = forwarding.queued.next() { answers.refuse(request.address, error) }
    }

    /// - Parameter milliseconds: the time that is left to answer the request.
    private func passOn(_ request: IncomingRequest, _ milliseconds: UInt64) {
        let address = request.address
        guard let channel else { return answers.refuse(address, .storageAway) }
        // If an earlier transmission of this request is still waiting for storage's answer, storage may have done it.
        // So the request must not be refused; it waits until storage is reachable again.
        let waiting = channel.waiting(address.key)
        guard waiting != nil || !isAway else { return answers.refuse(address, .storageAway) }
        if let waiting {
            // A request with the same key and another body is a different request. Users are compared byte by byte, as
            // in storage.
            guard waiting.body == request.body, waiting.header.account == request.header.account,
                waiting.header.user.utf8.elementsEqual(request.header.user.utf8)
            else {
                return answers.refuse(address, .requestConflict)
            }
        }
        guard address.version <= state.version else {
            let theirs = UInt32(address.version)
            return answers.refuse(address, .protocolVersion(theirs...theirs, ours: spokenWithClients))
        }
        forwarding.count += 1
        let isNew = channel.submit(
            request.header, body: request.body, version: address.version, milliseconds: milliseconds
        ) { outcome in
            self.forwarding.inFlight -= 1
            self.forwarded(outcome, to: address)
            self.forwardQueued()
        }
        if isNew { forwarding.inFlight += 1 }
    }

    private func forwarded(_ outcome: ChannelOutcome, to address: ReplyAddress) {
        switch outcome {
        // An earlier transmission of this write has no answer and may have been done. So the client must not be told
        // that nothing was done. It will send the write again.
        case .answered(_, let body, let unanswered)
        where unanswered > 0 && address.kind.isWrite && ErrorCode(ofReply: body)?.isVerdict == false:
            forwarding.timedOut += 1
            answers.leaveUnanswered(address)
        case .answered(_, let body, _) where ErrorCode(ofReply: body) == .protocolVersion:
            // The client will then ask this service which version to speak. So it is refused only after this service
            // knows which version storage speaks now.
            let theirs = UInt32(address.version)
            after(.hello) {
                self.answers.refuse(address, .protocolVersion(theirs...theirs, ours: self.spokenWithClients))
            }
        case .answered(let header, let body, _)
        where accountsChanged != nil && address.kind.changesAccounts && ErrorCode(ofReply: body) == nil:
            // The accounts are read before the answer is passed on. So a client that learns that a session or an
            // account has ended can rely on it, at least at this service.
            after(.accounts) { self.pass(address, header, body) }
        case .answered(let header, let body, _): pass(address, header, body)
        case .notConnected: answers.refuse(address, .storageAway)
        case .tooMany: answers.refuse(address, .tooManyWait)
        case .tooLarge: answers.refuse(address, .requestTooLarge)
        // The client no longer waits, and must not be told that nothing was done.
        case .timedOut, .cancelled, .closed:
            forwarding.timedOut += 1
            answers.leaveUnanswered(address)
        }
    }

    private func pass(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) {
        state.answered(at: header.position)
        answers.answer(address, body, header)
    }

    private enum Wait { case hello, accounts }

    /// Calls `answer` once this service knows the version that storage speaks now, or storage's current accounts.
    private func after(_ wait: Wait, _ answer: @escaping () -> Void) {
        answers.assembling += 1
        home.spawn {
            switch wait {
            case .hello: _ = try? await self.hello()
            case .accounts: await self.accountsChanged?()
            }
            self.answers.assembling -= 1
            answer()
        }
    }
}

extension ServiceError {
    fileprivate static let tooManyWait = ServiceError(
        .busy, "Too many requests wait for storage: try again.", retryAfter: 200)
}
