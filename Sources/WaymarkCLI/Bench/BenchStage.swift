// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The surroundings of a load test: the signals that end it early, and the display of its progress.
struct BenchStage: Sendable {
    let surroundings: Surroundings
    let interrupt: BenchInterrupt
    let live: BenchLive

    private init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
        interrupt = BenchInterrupt(ownsProcess: surroundings.ownsProcess)
        live = BenchLive(surroundings)
    }

    /// Calls `body`, and returns once the display has written everything.
    static func run(_ surroundings: Surroundings, _ body: (BenchStage) async throws -> Void) async throws {
        let stage = BenchStage(surroundings)
        do {
            try await body(stage)
        } catch {
            await stage.live.close()
            // An interruption may itself cause an error, for example in a stopped service. Such an error is no failure.
            throw stage.interrupt.exitCode ?? error
        }
        await stage.live.close()
    }
}
