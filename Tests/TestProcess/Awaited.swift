// SPDX-License-Identifier: Apache-2.0

import Foundation
import ZeroMQ

/// An expected event did not happen, or not in time.
public struct Overdue: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// A state that threads change and tasks wait for, each with a deadline. Waiting blocks no thread.
public final class Awaited<State: Sendable>: Sendable {
    private struct Inside: Sendable {
        var state: State
        var lastWaiter = 0
        /// Each waiter checks the state, and resumes its task when its condition is met.
        var waiters: [Int: @Sendable (inout State) -> Bool] = [:]
    }

    private let inside: Locked<Inside>

    public init(_ state: State) {
        inside = Locked(Inside(state: state))
    }

    public var now: State { inside.withLock { $0.state } }

    public func read<Value: Sendable>(_ body: @Sendable (State) -> Value) -> Value {
        inside.withLock { body($0.state) }
    }

    public func update<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        inside.withLock { inside in
            let result = body(&inside.state)
            for (number, look) in inside.waiters where look(&inside.state) { inside.waiters[number] = nil }
            return result
        }
    }

    /// Returns the result of `find`, now or after a change.
    ///
    /// - Parameter find: called with a lock held; may remove what it finds from the state.
    /// - Throws: ``Overdue`` after `time`.
    public func wait<Found: Sendable>(
        _ time: Duration, for what: @autoclosure @Sendable () -> String,
        _ find: @escaping @Sendable (inout State) -> Found?
    ) async throws -> Found {
        let found: Found? = await withCheckedContinuation { continuation in
            let number: Int? = inside.withLock { inside in
                if let found = find(&inside.state) {
                    continuation.resume(returning: found)
                    return nil
                }
                inside.lastWaiter += 1
                inside.waiters[inside.lastWaiter] = { state in
                    guard let found = find(&state) else { return false }
                    continuation.resume(returning: found)
                    return true
                }
                return inside.lastWaiter
            }
            guard let number else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1)) { [inside] in
                let isWaiting = inside.withLock { $0.waiters.removeValue(forKey: number) != nil }
                if isWaiting { continuation.resume(returning: nil) }
            }
        }
        guard let found else { throw Overdue(description: "Waited \(time) for \(what()).") }
        return found
    }
}
