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
    typealias Body<Value> = nonisolated(nonsending) () async -> Value

    /// Runs a component's task on the loop: from its first line on it may use what lives there.
    @discardableResult
    func spawn<Value: Sendable>(_ body: @escaping Body<Value>) -> Task<Value, Never> {
        // Called on the loop, and the task is isolated to the loop's actor: the closure never leaves its thread.
        nonisolated(unsafe) let body = body
        return actor.assumeIsolated { actor in
            Task {
                _ = actor
                return await body()
            }
        }
    }

    /// Runs in the next turn of the loop.
    func nextTurn(_ body: @escaping () -> Void) {
        // As above.
        nonisolated(unsafe) let body = body
        loop.submit { body() }
    }
}
