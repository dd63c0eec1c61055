// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ZeroMQ

/// Positions read from stdin, in order. Reading pauses while many wait, so that a long file does not fill the memory.
struct FixQueue: Sendable {
    private static let most = 4_096

    private let stream: AsyncStream<Fix>
    private let room = DispatchSemaphore(value: 0)

    /// Starts a thread that reads stdin.
    ///
    /// - Parameter now: returns the present time in Unix milliseconds, for lines without a time.
    init(_ surroundings: Surroundings, _ output: Output, now: @escaping @Sendable () -> UInt64) {
        let (stream, end) = AsyncStream.makeStream(of: Fix.self)
        self.stream = stream
        // Raise the semaphore with signals instead of an initial value: a semaphore that is released below its initial
        // value traps, and positions may still wait then.
        for _ in 0..<Self.most { room.signal() }
        startDetachedThread("waymark-stdin") { [room] in
            surroundings.readFixes(output) { fix in
                room.wait()
                end.yield(Fix(place: fix.place, at: fix.at ?? now()))
            }
            end.finish()
        }
    }

    /// Calls `body` with each position, until stdin has ended or the task is cancelled.
    func forEach(_ body: (Fix) async throws -> Void) async throws {
        for await fix in stream {
            room.signal()
            try await body(fix)
        }
    }
}
