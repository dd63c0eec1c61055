// SPDX-License-Identifier: Apache-2.0

public import Logging
public import ZeroMQ

/// Access of a service's components to their loop, context and log. Components run on the loop of one actor, and know
/// the actor in no other way.
public struct Home {
    public let loop: EventLoop
    public let context: Context
    /// Tasks of a component are isolated to this actor.
    private unowned let actor: any Actor
    public let logger: Logger

    public init(loop: EventLoop, context: Context, actor: any Actor, logger: Logger) {
        (self.loop, self.context, self.actor, self.logger) = (loop, context, actor, logger)
    }

    /// Must be written without a list of captures: with one, Swift 6.3.1 runs it away from the loop. Capture a
    /// `weak let` instead.
    public typealias Body<Value> = nonisolated(nonsending) () async -> Value

    /// Runs a component's task on the loop: from its first line on it may use objects that live there.
    @discardableResult
    public func spawn<Value: Sendable>(_ body: @escaping Body<Value>) -> Task<Value, Never> {
        // This method is called on the loop, and the task is isolated to the loop's actor: the closure never leaves its
        // thread.
        nonisolated(unsafe) let body = body
        return actor.assumeIsolated { actor in
            Task {
                _ = actor
                return await body()
            }
        }
    }

    /// Runs a component's task on the loop and begins it at once: a plain task would begin only after the loop's
    /// present job.
    public func spawnNow(_ body: @escaping Body<Void>) {
        // As in `spawn`: the closure never leaves the loop's thread.
        nonisolated(unsafe) let body = body
        actor.assumeIsolated { actor in
            _ = Task.immediate {
                _ = actor
                await body()
            }
        }
    }

    /// Runs a closure in the next turn of the loop.
    public func nextTurn(_ body: @escaping () -> Void) {
        // The caller is on the loop, and the closure runs on it: it never leaves the loop's thread.
        nonisolated(unsafe) let body = body
        loop.submit { body() }
    }
}
