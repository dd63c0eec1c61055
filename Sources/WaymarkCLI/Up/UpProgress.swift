// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Reports each step of the start that takes long.
final class UpProgress: Sendable {
    private struct State {
        var step: String
        var began = ContinuousClock.now
    }

    private static let patience = Duration.seconds(1)
    private static let pause = Duration.seconds(5)

    private let state: Locked<State>
    private let task: Task<Void, Never>

    init(_ step: String, say: @escaping @Sendable (String) -> Void = UpGuide.say) {
        let state = Locked(State(step: step))
        self.state = state
        task = Task {
            try? await Task.sleep(for: Self.patience)
            while !Task.isCancelled {
                let (step, began) = state.withLock { ($0.step, $0.began) }
                let seconds = (ContinuousClock.now - began).components.seconds
                say("\(step)\(seconds > 0 ? ", for \(seconds) s so far" : "") …")
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    func step(_ step: String) { state.withLock { $0 = State(step: step) } }

    func end() { task.cancel() }
}
