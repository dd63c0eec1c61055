// SPDX-License-Identifier: Apache-2.0

import Logging
import ZeroMQ

/// Where the components of a service live: on the loop of one actor, which they do not know otherwise.
struct Home {
    let loop: EventLoop
    let context: Context
    /// Tasks of a component are isolated to it.
    unowned let actor: any Actor
    let logger: Logger
}

extension Home {
    /// Runs in the next turn of the loop.
    func nextTurn(_ body: @escaping () -> Void) {
        nonisolated(unsafe) let body = body
        // Sent from the loop to the loop: only its thread ever runs it.
        loop.submit { body() }
    }
}
