// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import Web
import WebServer

/// The HTTP interface of `up`.
///
/// If the usual port is taken, by another `up` for example, and nobody asked for it, any free port will do: the address
/// is printed anyway. A port that was asked for is never replaced: the start fails if it is taken.
struct UpWeb: Service {
    let options: WebOptions
    let listener: @Sendable (WebOptions) -> WebListener

    func run() async throws {
        do {
            try await listener(options).run()
        } catch let error as HTTPListenerError where error.code == .taken {
            guard options.mayMove else {
                throw Failure.failed(
                    "The address \(error.address) of the map is taken: stop the server there, give another one with "
                        + "--web, or leave the map out with --no-web.")
            }
            UpGuide.say("The address \(error.address) is taken, so the map is at another port.")
            var moved = options
            moved.address = ListenAddress(host: options.address.host, port: 0)
            try await listener(moved).run()
        }
    }
}
