// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import Web
import WebServer

/// The HTTP interface of `up`. Its errors say which option to use, because `up` has options and no settings of its own.
struct UpWeb: Service {
    private let listener: WebListener

    init(_ listener: WebListener) { self.listener = listener }

    func run() async throws {
        do {
            try await listener.run()
        } catch let error as HTTPListenerError where error.code == .taken {
            throw UpFailure(
                description: "The address \(error.address) of the map is taken: stop what listens there, give another "
                    + "one with --web 127.0.0.1:0, or leave the map out with --no-web.")
        }
    }
}
