// SPDX-License-Identifier: Apache-2.0

public import Testing

/// A test waits for its turn, because only a few tests run at the same time, and then has a limited time for each case.
///
/// Swift's pool has one thread for each core, and Swift Testing starts every test at once. Without turns a test of
/// milliseconds would wait for hundreds of others at each `await`, and its time limit would measure that queue.
/// Waiting for the turn does not count towards the limit.
public struct TurnTrait: SuiteTrait, TestTrait, TestScoping {
    fileprivate let turns: Turns
    fileprivate let thread: TestThread?
    /// Far beyond what a case takes, also on one busy core: it ends a test that hangs.
    fileprivate var minutes = Self.usual
    fileprivate static let usual = 15

    /// Each test of the suite gets a turn of its own.
    public var isRecursive: Bool { true }

    /// A turn is held by a test with all its cases, and the limit is for each case. A suite that held a turn too would
    /// wait for itself.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> TurnTrait? { test.isSuite ? nil : self }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase == nil else { return try await limited(function) }
        await turns.begin()
        do {
            if let thread {
                try await withTaskExecutorPreference(thread) { try await function() }
            } else {
                try await function()
            }
        } catch {
            await turns.end()
            throw error
        }
        await turns.end()
    }

    private func limited(_ function: @Sendable () async throws -> Void) async throws {
        let minutes = minutes
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await Task.sleep(for: .seconds(60 * minutes))
                    Issue.record("It did not end within \(minutes) minutes.")
                }
                group.addTask { try await function() }
                // The task that ends first ends the other.
                defer { group.cancelAll() }
                _ = try await group.next()
            }
        }
    }
}

extension Trait where Self == TurnTrait {
    /// For a suite that runs whole services or processes: all such tests at once would be a hundred processes on two
    /// cores, and a client would wait longer for its answer than its time limit allows.
    public static var inTurn: Self { inTurn(minutes: TurnTrait.usual) }

    /// - Parameter minutes: for each case.
    public static func inTurn(minutes: Int) -> Self { TurnTrait(turns: .services, thread: nil, minutes: minutes) }

    /// For any other suite.
    public static var inShortTurn: Self { TurnTrait(turns: .code, thread: nil) }

    /// For a suite that computes for seconds: its tests run on a thread of their own.
    ///
    /// If a task prefers an executor, Swift 6.3.1 queues the task again at each `await` inside an actor with its own
    /// executor, also in `withCheckedContinuation`. Other jobs of the actor run in between. So a helper that waits must
    /// check inside the continuation's closure whether it has to wait. Two tests of event loops hung until their
    /// helpers did so.
    public static var computing: Self { computing(minutes: TurnTrait.usual) }

    /// - Parameter minutes: for each case.
    public static func computing(minutes: Int) -> Self {
        TurnTrait(turns: .computing, thread: TestThread(), minutes: minutes)
    }
}
