// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The end of a service: requests that can still be answered are answered.
extension QueryServer {
    /// How many more times requests are received after the stop. The number is bounded because a client that waits
    /// for each answer before it sends the next request could keep requests coming for ever.
    private static let lastTurns = 16
    /// How long storage may take to answer the forwarded requests.
    private static let patience = Duration.seconds(3)

    /// Answers what has arrived, refuses later requests, and waits for storage's answers.
    ///
    /// A write that storage may have received and not answered by then gets no answer: it must not be reported as
    /// refused, and its client sends it again under the same number.
    func finish() async {
        guard let running, !running.answers.isRefusing else { return }
        running.server.stopListening()
        running.sources.retire()
        takeLast()
        running.answers.isRefusing = true
        running.reads.parked.refuseAll(.stopping)
        running.link.refuseQueued(.stopping)
        await loop.wait(upTo: Self.patience) { running.isDone }
        takeLast()
    }

    private func takeLast() {
        var turns = Self.lastTurns
        while turns > 0, drain() > 0 { turns -= 1 }
    }
}

extension ServiceError {
    static let stopping = ServiceError(
        .unavailable, "The service is stopping: send the same request again.", retryAfter: 500)
}
