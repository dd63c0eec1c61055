// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkProtocol

extension WaymarkClient {
    /// Calls `body` with a client that is closed when it returns.
    static func using<Value>(
        _ options: Options, _ body: (WaymarkClient) async throws -> Value
    ) async throws -> Value {
        let client = try await WaymarkClient(options)
        do {
            let value = try await body(client)
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }
}

extension WaymarkClient.Options {
    /// For a request or two to one endpoint, which fail at once if nothing listens there.
    init(once endpoint: String, timeout: Duration, keys: ClientKeys? = nil) {
        self.init(endpoint: endpoint, timeout: timeout, agent: "waymark \(Product.version)", keys: keys)
        whenRefused = .giveUp
    }
}

extension ServiceOptions {
    /// The time limit of one answer.
    var answerTimeout: Duration { requestTimeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds) }

    func client(_ surroundings: Surroundings, needsUser: Bool = false) throws -> WaymarkClient.Options {
        let endpoints = try target.endpoints(surroundings)
        let signedIn = try Credentials(endpoints, surroundings).clientKeys()
        // Where accounts are required, the key says whose changes they are.
        let user =
            try signedIn?.name ?? target.user(surroundings, isNeeded: needsUser && signedIn == nil)
        // Services never keep a request waiting longer than that.
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        var options = WaymarkClient.Options(
            user: user, timeout: min(answerTimeout, longest), agent: "waymark \(Product.version)", keys: signedIn?.0)
        options.endpoints = endpoints
        options.whenRefused = whenRefused
        return options
    }
}
