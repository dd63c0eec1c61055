// SPDX-License-Identifier: Apache-2.0

import WaymarkTransport

/// The last work before a stop: nobody who can have an answer is left without one.
extension StorageServer {
    /// The most batches that are committed after the stop has begun. A client that waits for each answer before it sends
    /// the next request would otherwise keep them coming without end.
    private static let lastBatches = 16
    /// Milliseconds that reads in progress may take.
    private static let patience: UInt64 = 3_000

    /// Does what has arrived, refuses what arrives later, and waits for the reads in progress.
    func finish() async {
        guard let server = replies?.server, !admission.isStopping else { return }
        server.stopListening()
        drainRest()
        await settled()
        admission.isStopping = true
        let deadline = Monotonic.milliseconds + Self.patience
        while !admission.isIdle, Monotonic.milliseconds < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        drainRest()
        let end = Monotonic.milliseconds + Self.patience
        while isCommitting || !pending.isEmpty, Monotonic.milliseconds < end {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    private func drainRest() {
        var batches = Self.lastBatches
        while batches > 0, drain() > 0 { batches -= 1 }
    }
}
