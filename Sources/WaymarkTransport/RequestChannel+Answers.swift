// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// Receives answers.
extension RequestChannel {
    /// The requests that were answered, each with its outcome.
    private typealias Answered = [(entry: RequestSender.Schedule.Entry, outcome: ChannelOutcome)]

    /// Receives the waiting answers, and ends the requests that they answer. The completions are called at the end, so
    /// that the tasks that wait for answers are woken together.
    func receive() {
        var answered: Answered = []
        for _ in 0..<64 {
            guard case .open(let connection) = link, connection.receive() else { break }
            heard(connection.incoming, &answered)
        }
        guard !answered.isEmpty else { return }
        hooks.around(answered.count) {
            for (entry, outcome) in answered { entry.request.completion(outcome) }
        }
    }

    /// Handles one answer. Drops an answer that cannot be read, or whose request no longer waits.
    private func heard(_ message: borrowing ZeroMQ.Message, _ answered: inout Answered) {
        guard message.count == 3, let signature = message.withUnsafeBytes(at: 0, { Signature($0) }),
            signature.kind == .answer
        else { return }
        let body = message.bytes(at: 2)
        guard versions.contains(signature.version) else {
            // Only a refusal can be read, because it has the same form in every version.
            if case .failure? = (try? WireReply(serializedBytes: body))?.result { refusedUnread(body) }
            return
        }
        guard let (key, header) = message.withUnsafeBytes(at: 1, { ReplyHeader.read($0) }) else { return }
        lastAnswer = Monotonic.milliseconds
        if hasChoice, let verdict = choice?.heard(key, body, lastAnswer) { return judged(verdict) }
        guard let key else {
            // Without a key it is unknown which request was refused. If the service refuses the protocol version, that
            // concerns all requests. After any other refusal all requests keep waiting.
            if (try? WireReply(serializedBytes: body))?.failure.code == ErrorCode.protocolVersion.rawValue {
                refusedUnread(body)
            }
            return
        }
        if hasChoice, ErrorCode(ofReply: body) == .unavailable { return keep(key, refused: header, body) }
        guard let entry = schedule.end(key) else { return }
        answered.append((entry, .answered(header, body: body, unanswered: entry.unanswered)))
    }

    /// Ends all waiting requests, because the service speaks another version of the protocol and can read none of them.
    /// A copy sent on an earlier connection may have reached a service that speaks the requests' version, and been
    /// executed.
    private func refusedUnread(_ body: [UInt8]) {
        for entry in schedule.endAll() {
            entry.request.completion(.answered(ReplyHeader(), body: body, unanswered: entry.copiesBefore))
        }
    }
}
