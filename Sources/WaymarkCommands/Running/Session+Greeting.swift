// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

extension Session {
    /// Waits for services that are being started, up to the time limit of one request.
    func greet() async throws(ClientError) -> Welcome {
        let deadline = ContinuousClock.now + timeout
        while true {
            do throws(ClientError) {
                return try await client.hello()
            } catch {
                switch error {
                case .cannotConnect, .timedOut: guard ContinuousClock.now < deadline else { throw error }
                default: throw error
                }
            }
        }
    }
}
