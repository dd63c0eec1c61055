// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

/// The known outcome of a request that may be sent, refused and sent again. Decides whether an error may say that
/// nothing was done.
///
/// A copy that was sent and got no answer leaves the outcome open. Only an answer to the request itself settles it: the
/// service remembers what it has executed, and gives the same answer to a later copy.
struct RequestOutcome {
    let isWrite: Bool
    let endpoint: String
    /// Whether a copy was sent whose outcome is unknown.
    private(set) var isOpen = false

    /// Records that so many copies were sent and got no answer.
    mutating func left(unanswered copies: Int) {
        if copies > 0 { isOpen = true }
    }

    /// Returns the error to report if the request ends with `error`.
    func telling(_ error: ClientError) -> ClientError {
        guard isWrite else { return error }
        // The service itself says that it no longer knows the outcome.
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

    /// Returns the error of a request that ended without an answer; nil if there is an answer.
    mutating func end(_ outcome: ChannelOutcome, because failure: ConnectionFailure?) -> ClientError? {
        switch outcome {
        case .answered(_, _, let unanswered):
            left(unanswered: unanswered)
            return nil
        case .notConnected: return telling(.unreached(endpoint, failure))
        case .timedOut:
            left(unanswered: 1)
            switch failure {
            case .keyRefused, .keysNeeded, .otherKey, .noKeys: return telling(.unreached(endpoint, failure))
            default: return telling(.timedOut(endpoint: endpoint))
            }
        case .cancelled(let copies):
            left(unanswered: copies)
            return telling(.cancelled)
        case .closed(let copies):
            left(unanswered: copies)
            return telling(.closed)
        case .tooMany: return telling(.tooMany)
        case .tooLarge: return telling(.refused(.requestTooLarge))
        }
    }
}
