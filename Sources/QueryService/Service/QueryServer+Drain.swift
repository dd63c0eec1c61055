// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Stopping the service: requests that can still be answered are answered.
extension QueryServer {
    /// The maximum number of times that requests are received after the stop has begun. Without it, a client that sends
    /// a request after each answer could delay the stop forever.
    private static let lastTurns = 16
    /// The time that storage may still take to answer forwarded requests.
    private static let patience = Duration.seconds(3)

    /// Answers the requests that have arrived, refuses later requests, and waits for storage's answers.
    ///
    /// A write that was sent to storage and has no answer by then is left unanswered. It must not be reported as
    /// refused, because it may have been done; the client sends it again with the same number.
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
        while turns > 0, drain() + drain(isLocal: true) > 0 { turns -= 1 }
    }
}

extension ServiceError {
    static let stopping = ServiceError(
        .unavailable, "The service is stopping: send the same request again.", retryAfter: 500)
}
