// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkProtocol

/// What became of the adds, by the landmarks' names.
struct KillJournal: Sendable, CustomStringConvertible {
    var acknowledged: [String: Written] = [:]
    /// Whether these were done is not known.
    var unanswered: [String: ClientError] = [:]
    var isOver = false

    var description: String { "\(acknowledged.count) acknowledged, unanswered: \(unanswered)" }
}

extension ClientError {
    /// What clients meet while services come and go.
    var mayPass: Bool {
        switch self {
        case .cannotConnect, .timedOut, .mayBeDone: true
        case .refused(let refusal): refusal.code == .unavailable
        case .unreadableAnswer, .tooMany, .cancelled, .closed: false
        }
    }
}
