// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkProtocol

extension ClientOptions {
    /// Options for one or two requests to one endpoint. The requests fail at once if nothing listens there.
    init(once endpoint: String, timeout: Duration, keys: ClientKeys? = nil) {
        self.init(endpoint: endpoint, timeout: timeout, agent: "waymark \(Product.version)", keys: keys)
        whenRefused = .giveUp
    }
}

extension ServiceOptions {
    // A command that asks once.
    var whenRefused: WhenRefused { .giveUp }
    var feed: String? { nil }

    /// The time limit of one answer.
    var answerTimeout: Duration { requestTimeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds) }

    func client(_ surroundings: Surroundings, needsUser: Bool = false) throws -> ClientOptions {
        let endpoints = try target.endpoints(surroundings)
        let signedIn = try Credentials(endpoints, surroundings).clientKeys()
        // If the service requires accounts, it takes the author from the key, so no user has to be named.
        let user =
            try signedIn?.name ?? target.user(surroundings, isNeeded: needsUser && signedIn == nil)
        // Services never keep a request waiting longer than the protocol's limit.
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        var options = ClientOptions(
            user: user, timeout: min(answerTimeout, longest), agent: "waymark \(Product.version)", keys: signedIn?.0)
        options.endpoints = endpoints
        options.whenRefused = whenRefused
        return options
    }
}
