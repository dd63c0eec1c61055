// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// What the other end says.
extension RequestChannel {
    /// Takes the answers that have arrived, each to whoever waits for it.
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
            guard let key else {
                if (try? WireReply(serializedBytes: body))?.failure.code == ErrorCode.protocolVersion.rawValue {
                    refusedUnread(body)
                    continue
                }
                // One request that could not be read says nothing about the others, which may be other people's.
                strayAnswers += 1
                continue
            }
            guard let entry = schedule.end(key) else {
                strayAnswers += 1
                continue
            }
            entry.request.completion(.answered(header, body: body, unanswered: max(0, entry.copies - 1)))
        }
    }

    /// Why it was refused is all that can be read of another version's answer, and stands at the same place in each.
    private func refusedInAnotherVersion(_ body: [UInt8]) {
        guard case .failure? = (try? WireReply(serializedBytes: body))?.result else {
            strayAnswers += 1
            return
        }
        refusedUnread(body)
    }

    /// The other end speaks another version of the protocol: every request that waits fares the same. What was sent on a
    /// connection before may have been to another release, and done.
    private func refusedUnread(_ body: [UInt8]) {
        strayAnswers += 1
        for entry in schedule.endAll() {
            entry.request.completion(.answered(ReplyHeader(), body: body, unanswered: entry.copiesBefore))
        }
    }
}
