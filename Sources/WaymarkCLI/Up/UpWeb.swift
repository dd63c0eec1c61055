// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import Web
import WebServer

/// The HTTP interface of `up`.
///
/// If nobody asked for a port and the default port is taken, for example by another `up`, any free port is used,
/// because the address is printed anyway. If somebody asked for a port and it is taken, the start fails.
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
