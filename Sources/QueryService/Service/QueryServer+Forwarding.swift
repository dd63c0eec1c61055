// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Forwards requests to storage.
extension QueryServer {
    /// The most requests in flight to storage on behalf of clients: as many as some commits hold. Further requests wait
    /// here, where connections take turns; in storage the next one would queue behind all others.
    private static let mostForwarding = 4_096

    /// Forwards a request to storage unchanged, and returns the answer.
    func forward(_ request: IncomingRequest) {
        guard work.forwarding >= Self.mostForwarding || !work.queued.isEmpty else {
            return passOn(request, request.remaining)
        }
        guard work.queued.add(request) else {
            return refuse(request.address, ServiceError(.busy, "Too many requests wait for storage.", retryAfter: 200))
        }
    }

    /// Forwards requests that waited for room.
    private func forwardQueued() {
        while work.forwarding < Self.mostForwarding, let request = work.queued.next() {
            let waited = (Monotonic.nanoseconds - request.address.received) / 1_000_000
            // Skipped: the client has gone, or will send the request again under the same number.
            guard waited < request.remaining, server?.isGone(request.address) == false else { continue }
            passOn(request, request.remaining - waited)
        }
    }

    func refuseQueued(_ error: ServiceError) {
        while let request = work.queued.next() { refuse(request.address, error) }
    }

    /// - Parameter milliseconds: the remaining time of the request.
    private func passOn(_ request: IncomingRequest, _ milliseconds: UInt64) {
        guard let storage else { return refuse(request.address, .storageAway) }
        // A request that storage may already have received must not be reported as refused: it waits until storage is
        // back.
        let waiting = storage.waiting(request.address.key)
        guard waiting != nil || !isStorageAway else { return refuse(request.address, .storageAway) }
        if let waiting {
            // An equal key with a different body is a different request. Users are compared by bytes, as storage
            // does.
            guard waiting.body == request.body, waiting.header.account == request.header.account,
                waiting.header.user.utf8.elementsEqual(request.header.user.utf8)
            else {
                return refuse(request.address, .requestConflict)
            }
        }
        let address = request.address
        guard address.version <= facts.version else {
            let theirs = UInt32(address.version)
            return refuse(address, .protocolVersion(theirs...theirs, ours: spokenWithClients))
        }
        counters.forwarded += 1
        let isNew = storage.submit(
            request.header, body: request.body, version: address.version, milliseconds: milliseconds
        ) { outcome in
            self.work.forwarding -= 1
            self.forwarded(outcome, to: address)
            self.forwardQueued()
        }
        if isNew { work.forwarding += 1 }
    }

    private func forwarded(_ outcome: ChannelOutcome, to address: ReplyAddress) {
        switch outcome {
        // Another copy may have been done. The client sends it again, and must not be told that nothing was done.
        case .answered(_, let body, let unanswered)
        where unanswered > 0 && address.kind.isWrite && ErrorCode(ofReply: body)?.isVerdict == false:
            counters.forwardsTimedOut += 1
            requestLog.end(address.key, "unanswered")
        case .answered(_, let body, _) where ErrorCode(ofReply: body) == .protocolVersion:
            // Refused only after storage's present version is known, because the client next asks here which version
            // to speak.
            work.assembling += 1
            Task {
                _ = try? await helloStorage()
                work.assembling -= 1
                refuse(
                    address,
                    .protocolVersion(UInt32(address.version)...UInt32(address.version), ours: spokenWithClients))
            }
        case .answered(let header, let body, _)
        where options.access != nil && address.kind.changesAccounts && ErrorCode(ofReply: body) == nil:
            // Whoever hears that a session or an account has ended can rely on it, here at least.
            work.assembling += 1
            Task {
                _ = await followAccounts(wait: 0)
                work.assembling -= 1
                answer(address, header, body)
            }
        case .answered(let header, let body, _): answer(address, header, body)
        case .notConnected: refuse(address, .storageAway)
        case .tooMany: refuse(address, ServiceError(.busy, "Too many requests wait for storage.", retryAfter: 200))
        case .tooLarge: refuse(address, .requestTooLarge)
        // The client has stopped waiting too, and must not be told that nothing was done.
        case .timedOut, .cancelled, .closed:
            counters.forwardsTimedOut += 1
            requestLog.end(address.key, "unanswered")
        }
    }

    private func answer(_ address: ReplyAddress, _ header: ReplyHeader, _ body: [UInt8]) {
        facts.answered(at: header.position)
        requestLog.end(address.key, RequestLog.result(of: body))
        do {
            try server?.answer(address, header, body)
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }
}
