// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A thread for the tests of one suite.
///
/// Swift's pool has one thread a core. A test that computes for seconds would hold one of them, and everything that
/// awaits elsewhere would wait for it.
final class TestThread: TaskExecutor {
    /// A serial queue has a thread of its own beside the pool's.
    private let queue = DispatchQueue(label: "waymark.tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
