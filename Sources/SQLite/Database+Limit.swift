// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc

extension Database {
    /// The number of steps of a statement between two checks of the time. One step may read a page of a text index.
    private static let steps: CInt = 200

    /// Runs `body`, and ends its statements with ``ResultCode/interrupted`` when they have taken `time` of processor
    /// time. The wall clock is not used, so that a statement may do as much on a busy machine as on an idle one.
    public func limited(to time: Duration, _ body: () throws -> Void) throws {
        var end = Self.processorTime() + time
        try withUnsafeMutablePointer(to: &end) { end in
            let isOver: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { end in
                guard let end = end?.assumingMemoryBound(to: Duration.self) else { return 0 }
                return Database.processorTime() >= end.pointee ? 1 : 0
            }
            sqlite3_progress_handler(try open(), Self.steps, isOver, end)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            try body()
        }
    }

    /// Returns the processor time that this thread has taken.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
