// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import WaymarkTransport

/// What is known of a request while it is sent, refused and sent again: whether an end that is no answer may still say
/// that nothing was done. Pure.
///
/// A copy that was sent and never answered leaves that open, and nothing that happens to a later copy closes it again
/// but the service's own word on the request itself: it remembers what it did, and a later copy gets the same answer.
struct RequestFate {
    private let isWrite: Bool
    private let endpoint: String
    /// Whether a copy was sent of which nobody has said what became of it.
    private(set) var isOpen = false

    init(isWrite: Bool, endpoint: String) {
        (self.isWrite, self.endpoint) = (isWrite, endpoint)
    }

    /// So many copies were sent and not answered.
    mutating func left(unanswered copies: Int) {
        if copies > 0 { isOpen = true }
    }

    /// What to tell when the request ends with `error`.
    func telling(_ error: ClientError) -> ClientError {
        guard isWrite else { return error }
        // The service says itself that nobody knows any more.
        if case .refused(let refusal) = error, refusal.code == .forgotten {
            return .mayBeDone(endpoint: endpoint, after: error)
        }
        guard isOpen else { return error }
        switch error {
        case .mayBeDone: return error
        case .refused(let refusal) where refusal.code.isVerdict: return error
        default: return .mayBeDone(endpoint: endpoint, after: error)
        }
    }

    /// How it ended without an answer; nil: it has one.
    mutating func end(_ outcome: ChannelOutcome, because reason: String?) -> ClientError? {
        switch outcome {
        case .answered(_, _, let unanswered):
            left(unanswered: unanswered)
            return nil
        case .notConnected: return telling(.cannotConnect(endpoint: endpoint, reason: reason))
        case .timedOut:
            left(unanswered: 1)
            return telling(.timedOut(endpoint: endpoint))
        case .cancelled(let copies):
            left(unanswered: copies)
            return telling(.cancelled)
        case .closed(let copies):
            left(unanswered: copies)
            return telling(.closed)
        case .tooMany: return telling(.tooMany)
        }
    }
}
