// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A thread for the tests of one suite.
///
/// Swift's pool has one thread for each core. A test that computes for seconds would occupy one of them, and delay
/// everything else that awaits.
final class TestThread: TaskExecutor {
    /// A serial queue has its own thread, separate from the pool.
    private let queue = DispatchQueue(label: "waymark.tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
