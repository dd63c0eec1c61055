// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The last work before a stop: requests that can still be answered are answered.
extension QueryServer {
    /// The most turns in which requests are received after the stop has begun. Without a limit, a client that sends its
    /// next request after each answer could keep requests coming forever.
    private static let lastTurns = 16
    /// The time that storage may still take to answer forwarded requests.
    private static let patience = Duration.seconds(3)

    /// Answers the requests that have arrived, refuses later ones, and waits for storage's answers.
    ///
    /// A write that storage may have received but not answered by then gets no answer: it must not be reported as
    /// refused, and its client sends it again under the same number.
    func finish() async {
        guard let running, !running.answers.isRefusing else { return }
        running.server.stopListening()
        running.sources.retire()
        receiveLast()
        running.answers.isRefusing = true
        running.reads.parked.refuseAll(.stopping)
        running.link.refuseQueued(.stopping)
        await loop.wait(upTo: Self.patience) { running.isDone }
        receiveLast()
    }

    private func receiveLast() {
        var turns = Self.lastTurns
        while turns > 0, drain() > 0 { turns -= 1 }
    }
}

extension ServiceError {
    static let stopping = ServiceError(
        .unavailable, "The service is stopping: send the same request again.", retryAfter: 500)
}
