// SPDX-License-Identifier: Apache-2.0

public import Testing

/// A suite waits for its turn: a few suites run at the same time, and the others have not begun.
///
/// Swift's pool has one thread a core, and Swift Testing begins every test at once. Without turns a test that takes
/// milliseconds waits for hundreds of others at each `await`, and its time limit measures that queue. Waiting for a
/// turn does not count towards the time limits of a suite's tests.
public struct TurnTrait: SuiteTrait, TestScoping {
    fileprivate let turns: Turns
    fileprivate let thread: TestThread?

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
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
}

extension Trait where Self == TurnTrait {
    /// For a suite that runs whole services or processes. All of them at once would be a hundred processes on two
    /// cores.
    public static var inTurn: Self { TurnTrait(turns: .services, thread: nil) }

    /// For any other suite.
    public static var inShortTurn: Self { TurnTrait(turns: .code, thread: nil) }

    /// For a suite that computes for seconds: its tests run on a thread of the suite's.
    ///
    /// Where a task prefers an executor, Swift 6.3.1 queues it again at each `await` inside an actor with an executor of
    /// its own, `withCheckedContinuation` included. Other jobs of the actor run in between. A helper that waits has to
    /// look inside the continuation's closure whether it must wait; two tests of event loops hung until theirs did.
    public static var computing: Self { TurnTrait(turns: .code, thread: TestThread()) }
}
