// SPDX-License-Identifier: Apache-2.0

import Accounts
import QueryService
import WaymarkClient
import WaymarkTransport
import ZeroMQ

/// Learns a service's public key at the first connection, and checks later that the key is still the same.
struct FirstUse {
    let endpoint: String
    /// The endpoint that tells the service's key; nil for the port three above the port of `endpoint`.
    let serverKeyEndpoint: String?
    let timeout: Duration

    /// Returns the service's key, and the endpoint for signing in.
    ///
    /// - Parameters:
    ///   - known: the key that was learned at the first connection; nil before it.
    ///   - given: the key that a person gives; it overrides the known key and the key that the endpoint tells.
    func service(known: CurveKey?, given: CurveKey?) async throws -> (key: CurveKey, signIn: String) {
        let told = try await askForKey(isNeeded: given == nil && known == nil)
        if let given { return (given, signIn(told?.signIn)) }
        if let known, let told, told.key != known { throw Self.changed(endpoint, from: known, to: told.key) }
        let key = try (known ?? told?.key).or(
            .usage("The key of \(endpoint) cannot be looked up: give it with --server-key."))
        return (key, signIn(told?.signIn))
    }

    static func changed(_ endpoint: String, from known: CurveKey, to told: CurveKey) -> Failure {
        Failure(
            .serverKeyChanged, "server_key_changed",
            "The fingerprint of \(endpoint) has changed from \(Fingerprint(known)) to \(Fingerprint(told)): somebody "
                + "may pose as the service. If its administrator confirms the new one, sign in with --server-key "
                + "\(told.z85).")
    }

    private func askForKey(isNeeded: Bool) async throws -> (key: CurveKey, signIn: String)? {
        guard let asked = serverKeyEndpoint ?? Endpoint.beside(endpoint, QueryAccess.serverKeyOffset) else {
            return nil
        }
        let patience = isNeeded ? timeout : min(timeout, .seconds(1))
        do {
            return try await ClientOptions(once: asked, timeout: patience).withClient { try await $0.serverKey() }
        } catch let error as ClientError {
            if isNeeded { throw await reason(for: error) }
            return nil
        }
    }

    /// Explains why the endpoint for the key or the endpoint for signing in cannot be reached, as far as the service
    /// itself shows the reason.
    func reason(for error: ClientError) async -> any Error {
        guard case .cannotConnect(let unreached, _) = error else { return error }
        var shown: (any Error)?
        do {
            _ = try await ClientOptions(once: endpoint, timeout: timeout).withClient { try await $0.hello() }
        } catch { shown = error }
        switch shown as? ClientError {
        case nil, .refused?:
            return Failure(
                "no_accounts",
                "\(endpoint) has no accounts: use it without signing in, or set accounts: required at its services "
                    + "(\"waymark up --accounts\").")
        case .keyRefused?:
            return Failure(
                .cannotConnect, "cannot_connect",
                "\(endpoint) requires accounts, but its endpoint for signing in, \(unreached), cannot be reached: open "
                    + "that port, or name others with --server-key-endpoint, --sign-in or --server-key.")
        case let other?: return other
        }
    }

    private func signIn(_ told: String?) -> String {
        guard let told, !told.isEmpty else { return Endpoint.beside(endpoint, QueryAccess.signInOffset) ?? endpoint }
        return Endpoint.found(told, by: endpoint)
    }
}
