// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

extension Session {
    /// The pause before a failed request is repeated.
    static let pause = Duration.milliseconds(500)

    /// Repeats `body` until the service answers, and tells it whether an earlier attempt may have been done.
    ///
    /// - Parameters:
    ///   - consequence: a sentence that says what the wait means for the person.
    ///   - tell: called with the code and the message of each notice.
    func persistently<Value>(
        _ consequence: String, tell: (_ code: String, _ message: String) -> Void,
        _ body: (Bool) async throws -> Value
    ) async throws -> Value {
        var (hasTold, isInDoubt) = (false, false)
        while true {
            do {
                let value = try await body(isInDoubt)
                if hasTold { tell("answered", "The service answers again.") }
                return value
            } catch let error as ClientError where error.mayPass && !Task.isCancelled {
                if case .mayBeDone = error { isInDoubt = true }
                if !hasTold { tell("waiting", "\(Failure(error)?.message ?? "") \(consequence)") }
                hasTold = true
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Greets the service. Waits up to the time limit of one request if the service is only being started.
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

/// Runs tasks until the first of them ends, and then cancels the others.
///
/// - Parameter time: the time limit for all tasks; nil if there is no limit.
func untilOneEnds(within time: Duration? = nil, _ tasks: [@Sendable () async throws -> Void]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for task in tasks { group.addTask(operation: task) }
        if let time { group.addTask { try? await Task.sleep(for: time) } }
        defer { group.cancelAll() }
        try await group.next()
    }
}
