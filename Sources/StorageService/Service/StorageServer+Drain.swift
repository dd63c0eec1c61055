// SPDX-License-Identifier: Apache-2.0

/// The last work before a stop: every client that can still get an answer gets one.
extension StorageServer {
    /// The most batches committed after the stop has begun. Without a limit, a client that sends its next request after
    /// each answer would keep requests coming forever.
    private static let lastBatches = 16
    /// The time that reads in progress, or a batch, may still take.
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

    /// Waits for the batch that the engine is working on. An engine that waits for an unreachable server is told to
    /// give up; its clients are then told to send the same requests again.
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
