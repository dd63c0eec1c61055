// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

/// Requests that this service itself sends to storage.
extension StorageLink {
    /// Sends a request to storage, and waits for the answer at most for `timeout`.
    ///
    /// - Returns: storage's position from the answer's header, and the encoded `Reply`.
    /// - Throws: the error with which storage has answered, or the reason why there is no answer.
    nonisolated(nonsending) func askEncoded(
        _ request: WireRequest, atLeast: Position? = nil, version: UInt8? = nil, timeout: Duration = .seconds(5)
    ) async throws(ServiceError) -> (position: Position?, body: [UInt8]) {
        guard let channel else { throw .storageAway }
        let header = RequestHeader(key: numbers.next(), atLeast: atLeast)
        let outcome = await channel.ask(
            header, body: request.encoded, version: version, milliseconds: UInt64(timeout / .milliseconds(1)))
        if case .tooLarge = outcome { throw .requestTooLarge }
        guard case .answered(let header, let body, _) = outcome else { throw .storageAway }
        state.answered(at: header.position)
        guard let refusal = ServiceError(ofReply: body) else { return (header.position, body) }
        // Storage no longer speaks the request's version: ask which version to speak, and repeat the request in it.
        guard version == nil, refusal.code == .protocolVersion else { throw refusal }
        try await hello()
        return try await askEncoded(request, atLeast: atLeast, version: state.version, timeout: timeout)
    }

    nonisolated(nonsending) func ask(
        _ request: WireRequest, version: UInt8? = nil, timeout: Duration = .seconds(5)
    ) async throws(ServiceError) -> WireReply {
        let body = try await askEncoded(request, version: version, timeout: timeout).body
        guard let reply = try? WireReply(serializedBytes: body) else { throw .unexpectedAnswer }
        return reply
    }

    /// Greets storage, which chooses the protocol version that is spoken from then on.
    @discardableResult
    nonisolated(nonsending) func hello() async throws(ServiceError) -> WireWelcome {
        let versions = options.protocolVersions
        let reply = try await ask(
            .hello(versions, agent: "waymark-query \(Product.version)"), version: versions.lowerBound)
        guard case .welcome(let welcome)? = reply.result else { throw .unexpectedAnswer }
        try channel?.speak(welcome.protocol)
        state.version = channel?.version ?? state.version
        greeted(welcome)
        return welcome
    }

    /// Reads a page of the change log.
    nonisolated(nonsending) func readLog(
        after position: Position, matching filter: FeedFilter, wait: UInt32
    ) async throws(ServiceError) -> PulledPage {
        let body = try await askEncoded(
            .with {
                ($0.changes.since, $0.changes.waitMs) = (position.wire, wait)
                if !filter.isEmpty { $0.changes.filter = filter.wire }
            }
        ).body
        // The changes stay encoded, because a relay publishes them unchanged.
        guard let page = PulledPage(encoded: body) else { throw .unexpectedAnswer }
        return page
    }
}

extension ServiceError {
    static let storageAway = ServiceError(
        .unavailable, "Storage does not answer at the moment. This request was not passed on: try again.",
        retryAfter: 500)
    static let unexpectedAnswer = ServiceError(
        .internal, "Storage's answer does not fit the request: bring both to one release.")
}
