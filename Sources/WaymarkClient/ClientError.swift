// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Why a request ended without a usable answer.
///
/// For a write, only ``mayBeDone(endpoint:after:)`` leaves open whether it was done. With every other error it was
/// not done.
public indirect enum ClientError: Error, Sendable {
    /// Nothing listens at the endpoint. Nothing was done.
    case cannotConnect(endpoint: String, reason: String?)
    /// No answer came in time. The request was a read, or was never sent.
    case timedOut(endpoint: String)
    /// A write was sent and its outcome is unknown. Sending it again as a new request could do it twice. `after` is
    /// the error that ended the wait.
    case mayBeDone(endpoint: String, after: ClientError)
    /// The service refused and gave a reason. Nothing was done; with code `internal`, nothing was acknowledged.
    case refused(ServiceError)
    /// This version cannot read the answer.
    case unreadableAnswer(String)
    /// Too many requests are waiting already. Nothing was done.
    case tooMany
    /// The calling task was cancelled. Nothing was done.
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
            after.saying(endpoint) + " It is unknown whether it was done: check before you repeat it."
        case .refused(let error): error.message
        case .unreadableAnswer(let what):
            "The answer cannot be read (\(what)): bring client and service to the same release."
        case .tooMany: "Too many requests wait for an answer: let some of them finish first."
        case .cancelled: "The request was cancelled."
        case .closed: "The client is closed."
        }
    }

    /// One sentence for the last error of a write that may have been done.
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
