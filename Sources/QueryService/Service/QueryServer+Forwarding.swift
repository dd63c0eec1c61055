// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
import WaymarkTransport

/// What is passed on to storage.
extension QueryServer {
    /// Requests that storage has been asked at once on behalf of clients. More of them wait here, where their turns are
    /// by connection, and not there, where the next one comes behind all of them. Some commits' worth of writes.
    private static let mostForwarding = 4_096

    /// Passes a request on to storage as it came, and its answer back.
    func forward(_ request: IncomingRequest) {
        guard forwarding >= Self.mostForwarding || !queued.isEmpty else { return passOn(request, request.remaining) }
        guard queued.add(request) else {
            return refuse(request.address, ServiceError(.busy, "Too many requests wait for storage.", retryAfter: 200))
        }
    }

    /// Passes on those that waited for room.
    private func forwardQueued() {
        while forwarding < Self.mostForwarding, let request = queued.next() {
            let waited = (Monotonic.nanoseconds - request.address.received) / 1_000_000
            // Who asked has gone, or will ask again under the same number.
            guard waited < request.remaining, server?.isGone(request.address) == false else { continue }
            passOn(request, request.remaining - waited)
        }
    }

    func refuseQueued(_ error: ServiceError) {
        while let request = queued.next() { refuse(request.address, error) }
    }

    /// - Parameter milliseconds: that are left.
    private func passOn(_ request: IncomingRequest, _ milliseconds: UInt64) {
        guard let storage else { return refuse(request.address, .storageAway) }
        // What storage may have received already must not be called refused: it waits for storage to come back.
        let waiting = storage.waiting(request.address.key)
        guard waiting != nil || !isStorageAway else { return refuse(request.address, .storageAway) }
        if let waiting {
            // The same body as somebody else is another request; users by their bytes, as storage compares them.
            guard waiting.body == request.body, waiting.user.utf8.elementsEqual(request.header.user.utf8) else {
                return refuse(request.address, .requestConflict)
            }
        }
        let address = request.address
        guard address.version <= storageVersion else {
            let theirs = UInt32(address.version)
            return refuse(address, .protocolVersion(theirs...theirs, ours: spokenWithClients))
        }
        counters.forwarded += 1
        let isNew = storage.submit(
            request.header, body: request.body, version: address.version, milliseconds: milliseconds
        ) { outcome in
            self.forwarding -= 1
            self.forwarded(outcome, to: address)
            self.forwardQueued()
        }
        if isNew { forwarding += 1 }
    }

    private func forwarded(_ outcome: ChannelOutcome, to address: ReplyAddress) {
        switch outcome {
        // Another copy may have been done: whoever asked asks again, and must not be told that nothing was.
        case .answered(_, let body, let unanswered)
        where unanswered > 0 && address.kind.isWrite && ErrorCode(ofReply: body)?.isVerdict == false:
            counters.forwardsTimedOut += 1
            requestLog.end(address.key, "unanswered")
        case .answered(_, let body, _) where ErrorCode(ofReply: body) == .protocolVersion:
            // Told only when the version that storage speaks now is known: whoever asked asks here what to speak.
            answersUnderWay += 1
            Task {
                _ = try? await helloStorage()
                answersUnderWay -= 1
                refuse(
                    address,
                    .protocolVersion(UInt32(address.version)...UInt32(address.version), ours: spokenWithClients))
            }
        case .answered(let header, let body, _):
            noticeHead(header.position)
            requestLog.end(address.key, RequestLog.result(of: body))
            do {
                try server?.answer(address, header, body)
            } catch {
                logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
            }
        case .notConnected: refuse(address, .storageAway)
        case .tooMany: refuse(address, ServiceError(.busy, "Too many requests wait for storage.", retryAfter: 200))
        // Whoever asked has stopped waiting too, and must not be told that nothing was done.
        case .timedOut, .cancelled, .closed:
            counters.forwardsTimedOut += 1
            requestLog.end(address.key, "unanswered")
        }
    }
}
