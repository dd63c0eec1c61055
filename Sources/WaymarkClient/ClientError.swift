// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Why a request of the client did not end with an answer to use.
///
/// Whatever became of a write, only ``mayBeDone(endpoint:after:)`` leaves it open whether it was done.
public indirect enum ClientError: Error, Sendable {
    /// Nobody listens there. Nothing was done.
    case cannotConnect(endpoint: String, reason: String?)
    /// No answer came in time to what changes nothing, or was not sent.
    case timedOut(endpoint: String)
    /// A write was sent, and what became of it is not known: asking again under a new number could do it twice.
    /// `after` is what was heard of it last.
    case mayBeDone(endpoint: String, after: ClientError)
    /// The service refused, and says why. Nothing was done; with `internal` nothing was acknowledged.
    case refused(ServiceError)
    /// The answer is none that this version can read.
    case unreadableAnswer(String)
    /// Too many requests wait already. Nothing was done.
    case tooMany
    /// Its task was cancelled. Nothing was done.
    case cancelled
    /// ``WaymarkClient/close()`` was called. Nothing was done.
    case closed
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotConnect(let endpoint, let reason):
            "Nobody answers at \(endpoint)\(reason.map { " (\($0))" } ?? ""): start the services with \"waymark up\", or "
                + "name another endpoint with --connect."
        case .timedOut(let endpoint): "No answer from \(endpoint) in time. Try again."
        case .mayBeDone(let endpoint, let after):
            after.saying(endpoint) + " It is not known whether it was done: look before you do it again."
        case .refused(let error): error.message
        case .unreadableAnswer(let what):
            "The answer cannot be read (\(what)): bring client and service to the same release."
        case .tooMany: "Too many requests wait for an answer: let some of them finish first."
        case .cancelled: "The request was cancelled."
        case .closed: "The client is closed."
        }
    }

    /// What was heard last of a write that may have been done.
    private func saying(_ endpoint: String) -> String {
        switch self {
        case .timedOut: "No answer from \(endpoint) in time."
        case .cannotConnect: "\(endpoint) went away before it answered."
        case .refused(let error): "\(endpoint) did not answer at first, and then refused: \(error.message)"
        case .tooMany: "It was sent, and then too many requests waited for an answer."
        case .cancelled: "The request was cancelled after it was sent."
        case .closed: "The client was closed before \(endpoint) answered."
        case .unreadableAnswer, .mayBeDone: description
        }
    }
}
