// SPDX-License-Identifier: Apache-2.0

/// The last work before a stop, so that every client that can still get an answer gets one.
extension StorageServer {
    /// The maximum number of batches that are committed after the stop has begun. Without a maximum, a client that
    /// sends a new request after each answer could keep storage from stopping.
    private static let lastBatches = 16
    /// The maximum time to wait for the reads in progress, and for a batch.
    private static let patience = Duration.seconds(3)

    /// Handles all requests that have arrived, refuses later ones, and waits for the reads in progress.
    func finish() async {
        guard let running, !running.replies.isRefusing else { return }
        running.server.stopListening()
        drainRest()
        await waitForCommits(running.commits)
        running.commits.waiting.endAll()
        running.replies.isRefusing = true
        await loop.wait(upTo: Self.patience) { running.handlers.admission.isIdle }
        drainRest()
        await waitForCommits(running.commits)
    }

    /// Waits for the batch that the engine is committing. If the engine waits for an unreachable database server,
    /// interrupts it. The clients are then told to repeat their requests.
    private func waitForCommits(_ commits: CommitLoop) async {
        let wasIdle = await loop.wait(upTo: Self.patience) { commits.isIdle }
        guard !wasIdle, commits.isCommitting else { return }
        commits.executor.control.interrupt()
        await loop.wait(upTo: Self.patience) { !commits.isCommitting }
    }

    private func drainRest() {
        var batches = Self.lastBatches
        while batches > 0, drain() > 0 { batches -= 1 }
    }
}
