// SPDX-License-Identifier: Apache-2.0

public import Logging
public import ZeroMQ

/// Gives a service's components access to their event loop, ZeroMQ context and log. All components run on the event
/// loop of one actor, which they do not know otherwise.
public struct Home {
    public let loop: EventLoop
    public let context: Context
    /// The actor to which the components' tasks are isolated.
    private unowned let actor: any Actor
    public let logger: Logger

    public init(loop: EventLoop, context: Context, actor: any Actor, logger: Logger) {
        (self.loop, self.context, self.actor, self.logger) = (loop, context, actor, logger)
    }

    /// The body of a task. It must be written without a capture list: with one, Swift 6.3.1 does not run it on the
    /// event loop. Capture a `weak let` instead.
    public typealias Body<Value> = nonisolated(nonsending) () async -> Value

    /// Runs a component's task on the event loop, so that the task may use the objects there from its first line on.
    @discardableResult
    public func spawn<Value: Sendable>(_ body: @escaping Body<Value>) -> Task<Value, Never> {
        // This method is called on the event loop, and the task is isolated to the same actor. So the closure never
        // leaves the event loop's thread.
        nonisolated(unsafe) let body = body
        return actor.assumeIsolated { actor in
            Task {
                _ = actor
                return await body()
            }
        }
    }

    /// Runs a component's task on the event loop and begins it at once. A plain task would begin only after the present
    /// job.
    public func spawnNow(_ body: @escaping Body<Void>) {
        // As in `spawn`, the closure never leaves the event loop's thread.
        nonisolated(unsafe) let body = body
        actor.assumeIsolated { actor in
            _ = Task.immediate {
                _ = actor
                await body()
            }
        }
    }

    /// Runs a closure in the next iteration of the event loop.
    public func nextTurn(_ body: @escaping () -> Void) {
        // The caller and the closure both run on the event loop, so the closure never leaves its thread.
        nonisolated(unsafe) let body = body
        loop.submit { body() }
    }
}
