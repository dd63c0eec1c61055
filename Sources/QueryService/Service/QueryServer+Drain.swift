// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import WaymarkTransport

/// The end of a service: nobody is left without an answer who could have one.
extension QueryServer {
    /// Turns of taking that are still made after the stop. A client that waits for each answer before it asks again
    /// would keep any number of requests coming.
    private static let lastTurns = 16
    /// Milliseconds that storage may take to answer what was passed on.
    private static let patience: UInt64 = 3_000

    /// Answers what has arrived, refuses what comes after that, and waits for what storage was asked.
    ///
    /// A write that storage may have received and has not answered by then stays without an answer: it must not be
    /// called refused, and its client asks again under the same number.
    func finish() async {
        guard let server, !isRefusing else { return }
        server.stopListening()
        for number in fetchings.keys { fetchings[number]?.retire() }
        takeLast()
        isRefusing = true
        for waiting in parked.removeAll() { refuse(waiting.request.address, .stopping) }
        refuseQueued(.stopping)
        let deadline = Monotonic.milliseconds + Self.patience
        while forwarding > 0 || answersUnderWay > 0 || !fetchings.isEmpty && !isStorageAway,
            Monotonic.milliseconds < deadline
        {
            try? await Task.sleep(for: .milliseconds(2))
        }
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
