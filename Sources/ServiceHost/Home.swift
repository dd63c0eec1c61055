// SPDX-License-Identifier: Apache-2.0

public import Logging
public import ZeroMQ

/// Where the components of a service live: on the loop of one actor, which they do not know otherwise.
public struct Home {
    public let loop: EventLoop
    public let context: Context
    /// Tasks of a component are isolated to it.
    private unowned let actor: any Actor
    public let logger: Logger

    public init(loop: EventLoop, context: Context, actor: any Actor, logger: Logger) {
        (self.loop, self.context, self.actor, self.logger) = (loop, context, actor, logger)
    }

    /// Written without a list of captures: with one, Swift 6.3.1 runs it away from the loop. Capture a `weak let` instead.
    public typealias Body<Value> = nonisolated(nonsending) () async -> Value

    /// Runs a component's task on the loop: from its first line on it may use what lives there.
    @discardableResult
    public func spawn<Value: Sendable>(_ body: @escaping Body<Value>) -> Task<Value, Never> {
        // Called on the loop, and the task is isolated to the loop's actor: the closure never leaves its thread.
        nonisolated(unsafe) let body = body
        return actor.assumeIsolated { actor in
            Task {
                _ = actor
                return await body()
            }
        }
    }

    /// The same, and begins at once: a plain task would begin only when the loop's present job has ended.
    public func spawnNow(_ body: @escaping Body<Void>) {
        // As above.
        nonisolated(unsafe) let body = body
        actor.assumeIsolated { actor in
            _ = Task.immediate {
                _ = actor
                await body()
            }
        }
    }

    /// Runs in the next turn of the loop.
    public func nextTurn(_ body: @escaping () -> Void) {
        // As above.
        nonisolated(unsafe) let body = body
        loop.submit { body() }
    }
}
