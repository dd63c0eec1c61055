// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkProtocol

/// The outcomes of the adds, by the landmarks' names.
struct KillJournal: Sendable, CustomStringConvertible {
    var acknowledged: [String: Written] = [:]
    /// It is unknown whether these were done.
    var unanswered: [String: ClientError] = [:]
    var isOver = false

    var description: String { "\(acknowledged.count) acknowledged, unanswered: \(unanswered)" }
}

extension ClientError {
    /// Whether the error is expected while services restart.
    var mayPass: Bool {
        switch self {
        case .cannotConnect, .timedOut, .mayBeDone: true
        case .refused(let refusal): refusal.code == .unavailable
        case .unreadableAnswer, .keyRefused, .otherServer, .tooMany, .cancelled, .closed: false
        }
    }
}
