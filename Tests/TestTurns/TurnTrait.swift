// SPDX-License-Identifier: Apache-2.0

public import Testing

/// A suite that runs whole services waits for its turn: a few such suites at a time. All of them at once would be a
/// hundred processes on two cores, and tests that measure time would measure that.
public struct TurnTrait: SuiteTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turns.shared.begin()
        do {
            try await function()
        } catch {
            await Turns.shared.end()
            throw error
        }
        await Turns.shared.end()
    }
}

extension Trait where Self == TurnTrait {
    /// At most three suites that say so run at the same time.
    public static var inTurn: Self { TurnTrait() }
}

private actor Turns {
    static let shared = Turns()

    private var left = 3
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        guard left == 0 else {
            left -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { left += 1 } else { waiting.removeFirst().resume() }
    }
}
