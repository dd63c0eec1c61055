// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// Receives answers.
extension RequestChannel {
    /// Receives the waiting answers and ends the request that each one answers.
    func receive() {
        for _ in 0..<1_024 {
            guard (try? socket?.receive(into: &incoming)) == true else { return }
            guard incoming.count == 3,
                let signature = incoming.withUnsafeBytes(at: 0, { Signature($0) }), signature.kind == .answer
            else {
                strayAnswers += 1
                continue
            }
            guard versions.contains(signature.version) else {
                refusedInAnotherVersion(incoming.bytes(at: 2))
                continue
            }
            guard let (key, header) = incoming.withUnsafeBytes(at: 1, { ReplyHeader.read($0) }) else {
                strayAnswers += 1
                continue
            }
            lastAnswer = Monotonic.milliseconds
            let body = incoming.bytes(at: 2)
            if turns.isNeeded {
                turns.heard(lastAnswer)
                if let key, greeter.isAsked(key) {
                    greeted(body)
                    continue
                }
                if let key, ErrorCode(ofReply: body) == .unavailable {
                    keep(key, refused: header, body)
                    continue
                }
            }
            guard let key else {
                if (try? WireReply(serializedBytes: body))?.failure.code == ErrorCode.protocolVersion.rawValue {
                    refusedUnread(body)
                    continue
                }
                // Without a key it is unknown which request was refused: all of them keep waiting.
                strayAnswers += 1
                continue
            }
            guard let entry = schedule.end(key) else {
                strayAnswers += 1
                continue
            }
            entry.request.completion(.answered(header, body: body, unanswered: entry.unanswered))
        }
    }

    /// The answer is in another version. Only its refusal can be read, because a refusal has the same form in every
    /// version.
    private func refusedInAnotherVersion(_ body: [UInt8]) {
        guard case .failure? = (try? WireReply(serializedBytes: body))?.result else {
            strayAnswers += 1
            return
        }
        refusedUnread(body)
    }

    /// The service speaks another version of the protocol, so it reads none of the waiting requests. A copy that was
    /// sent on an earlier connection may have reached another release and been done.
    private func refusedUnread(_ body: [UInt8]) {
        strayAnswers += 1
        for entry in schedule.endAll() {
            entry.request.completion(.answered(ReplyHeader(), body: body, unanswered: entry.copiesBefore))
        }
    }
}
