// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Forwards queries that this service's region cannot answer to another query service.
final class Fallback {
    private let answers: Replies
    private let endpoints: [String]
    private var channel: RequestChannel?
    /// The connection that each forwarded request came from.
    private var passed: [RequestKey: [UInt8]] = [:]

    init(_ options: QueryOptions, home: Home, answers: Replies) throws(ZeroMQError) {
        (self.answers, endpoints) = (answers, options.fallbacks)
        guard !options.fallbacks.isEmpty else { return }
        channel = try RequestChannel(
            loop: home.loop, context: home.context, endpoints: options.fallbacks, versions: options.protocolVersions,
            // All query services have the same keys, so the other service's public key is this service's own.
            security: { [access = options.access] endpoint in
                guard let access, !ListenRule.isPrivate(endpoint) else { return nil }
                return .curveClient(serverKey: access.keys.publicKey, keys: access.keys)
            },
            hooks: RequestChannel.Hooks(around: { [answers] _, finish in answers.together(finish) }))
    }

    var problem: String? {
        guard !endpoints.isEmpty, channel?.isConnected != true else { return nil }
        return "The fallback at \(endpoints.joined(separator: ", ")) does not answer: questions that need more than "
            + "this service holds are refused."
    }

    /// Refuses a query, unless its answer lies outside the region and another service can be asked.
    func refuse(_ request: IncomingRequest, _ error: ServiceError) {
        guard error.code == .outsideRegion, pass(request, error) else {
            return answers.refuse(request.address, error)
        }
    }

    /// Forwards a request. Returns false if no other service can be asked.
    private func pass(_ request: IncomingRequest, _ error: ServiceError) -> Bool {
        guard let channel, channel.isConnected else { return false }
        let address = request.address
        // Two services may be configured to ask each other. If a waiting request arrives again by another connection,
        // it is this service's own request, which has come back. It must not be sent around again.
        if channel.waiting(address.key) != nil, passed[address.key] != address.connection { return false }
        if passed.updateValue(address.connection, forKey: address.key) == nil { answers.assembling += 1 }
        channel.submit(
            request.header, body: request.body, version: address.version, milliseconds: request.remaining
        ) { outcome in
            if self.passed.removeValue(forKey: address.key) != nil { self.answers.assembling -= 1 }
            guard case .answered(let header, let body, _) = outcome else { return self.answers.refuse(address, error) }
            self.answers.answer(address, body, header)
        }
        return true
    }

    func close() {
        channel?.close()
        channel = nil
    }
}
