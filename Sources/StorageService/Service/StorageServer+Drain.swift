// SPDX-License-Identifier: Apache-2.0

/// The last work before a stop: nobody who can have an answer is left without one.
extension StorageServer {
    /// The most batches that are committed after the stop has begun. A client that waits for each answer before it sends
    /// the next request would otherwise keep them coming without end.
    private static let lastBatches = 16
    /// How long reads in progress may take, or a batch.
    private static let patience = Duration.seconds(3)

    /// Does what has arrived, refuses what arrives later, and waits for the reads in progress.
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

    /// Waits for what was handed to the engine. One that waits for a server which is away is told to give up: then the
    /// clients are told to send the same requests again.
    private func waitForCommits(_ commits: CommitLoop) async {
        let wasIdle = await loop.wait(upTo: Self.patience) { commits.isIdle }
        guard !wasIdle, commits.isCommitting else { return }
        commits.lane.remote.interrupt()
        await loop.wait(upTo: Self.patience) { !commits.isCommitting }
    }

    private func drainRest() {
        var batches = Self.lastBatches
        while batches > 0, drain() > 0 { batches -= 1 }
    }
}
