// SPDX-License-Identifier: Apache-2.0

import Glibc
import ZeroMQ

/// Runs blocking work on a new thread, because the work may take hours and Swift's thread pool has few threads.
enum OwnThread {
    /// - Parameter problem: makes the error if the system cannot start a thread, from the system's description.
    static func run<Success: Sendable>(
        failing problem: (String) -> FetchError.Reason,
        _ work: @escaping @Sendable () throws(FetchError.Reason) -> Success
    ) async -> Result<Success, FetchError.Reason> {
        await withCheckedContinuation { (done: CheckedContinuation<Result<Success, FetchError.Reason>, Never>) in
            let isStarted = startDetachedThread("waymark-fetch") { done.resume(returning: Result(catching: work)) }
            if !isStarted { done.resume(returning: .failure(problem(String(cString: strerror(EAGAIN))))) }
        }
    }
}
