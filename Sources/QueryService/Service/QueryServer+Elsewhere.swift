// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// Questions that need more than this service's region are passed on to another query service, if one is configured.
extension QueryServer {
    /// How this service's requests are proved at another query service: all of them have the same keys.
    nonisolated var elsewhereSecurity: (String) -> SocketSecurity? {
        { [access = options.access] endpoint in
            guard let access, !ListenRule.isPrivate(endpoint) else { return nil }
            return .curveClient(serverKey: access.keys.publicKey, keys: access.keys)
        }
    }

    /// - Parameter server: sends the answers that arrive together together.
    func connectElsewhere(answering server: RequestServer) throws(ZeroMQError) {
        guard !options.elsewhere.isEmpty else { return }
        elsewhere = try RequestChannel(
            loop: loop, context: context, endpoints: options.elsewhere, versions: options.protocolVersions,
            security: elsewhereSecurity,
            around: { [logger] take in
                do throws(ZeroMQError) { try server.together(take) } catch {
                    logger.error("cannot answer", metadata: ["error": "\(error)"])
                }
            })
    }

    /// Refuses a question, unless another service may know the answer.
    func refuse(_ request: IncomingRequest, _ error: ServiceError) {
        guard error.code == .outsideRegion, passElsewhere(request, error) else {
            return refuse(request.address, error)
        }
    }

    /// - Returns: false if there is nobody to ask.
    private func passElsewhere(_ request: IncomingRequest, _ error: ServiceError) -> Bool {
        guard let elsewhere, elsewhere.isConnected else { return false }
        let address = request.address
        // Two services may be configured to ask each other. What comes back by another connection is the question that
        // this service has asked itself.
        if elsewhere.waiting(address.key) != nil, work.passed[address.key] != address.connection { return false }
        if work.passed.updateValue(address.connection, forKey: address.key) == nil { work.assembling += 1 }
        elsewhere.submit(
            request.header, body: request.body, version: address.version, milliseconds: request.remaining
        ) { outcome in
            if self.work.passed.removeValue(forKey: address.key) != nil { self.work.assembling -= 1 }
            guard case .answered(let header, let body, _) = outcome else { return self.refuse(address, error) }
            self.requestLog.end(address.key, RequestLog.result(of: body))
            do throws(ZeroMQError) { try self.server?.answer(address, header, body) } catch {
                self.logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
            }
        }
        return true
    }
}
