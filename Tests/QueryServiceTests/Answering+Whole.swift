// SPDX-License-Identifier: Apache-2.0

@testable import QueryService

extension Answering {
    /// The complete answer, in as many steps as it takes.
    func whole() throws -> HitsReply {
        var answering = self
        while true { if let reply = try answering.proceed() { return reply } }
    }
}
