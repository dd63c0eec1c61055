// SPDX-License-Identifier: Apache-2.0

import WaymarkTransport

/// The end of a service: nobody is left without an answer who could have one.
extension StorageServer {
    /// Batches that are still done after the stop. A client that waits for each answer before it asks again would keep
    /// any number of them coming.
    private static let lastBatches = 16
    /// Milliseconds that reads may take to come back.
    private static let patience: UInt64 = 3_000

    /// Does what has arrived, refuses what comes after that, and waits for the reads that are under way.
    func finish() async {
        guard let server, !isRefusing else { return }
        server.stopListening()
        takeLast()
        isRefusing = true
        let deadline = Monotonic.milliseconds + Self.patience
        while readsUnderWay + healthQuestions > 0, Monotonic.milliseconds < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        takeLast()
    }

    private func takeLast() {
        var batches = Self.lastBatches
        while batches > 0, drain() > 0 { batches -= 1 }
    }
}
