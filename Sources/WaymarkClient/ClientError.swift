// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Why a request of the client did not end with an answer to use.
public enum ClientError: Error, Sendable {
    /// Nobody listens there. Nothing was done.
    case cannotConnect(endpoint: String, reason: String?)
    /// It was sent, and no answer came in time. Whether a write was done is not known: asking again under a new
    /// number could do it twice.
    case timedOut(endpoint: String, isWrite: Bool)
    /// The service refused, and says why.
    case refused(ServiceError)
    /// The answer is none that this version can read.
    case unreadableAnswer(String)
    /// Too many requests wait already.
    case tooMany
    /// ``WaymarkClient/close()`` was called.
    case closed
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotConnect(let endpoint, let reason):
            "Nobody answers at \(endpoint)\(reason.map { " (\($0))" } ?? ""): start the services with \"waymark up\", or "
                + "name another endpoint with --connect."
        case .timedOut(let endpoint, let isWrite):
            "No answer from \(endpoint) in time."
                + (isWrite ? " It is not known whether it was done: look before you do it again." : " Try again.")
        case .refused(let error): error.message
        case .unreadableAnswer(let what):
            "The answer cannot be read (\(what)): bring client and service to the same release."
        case .tooMany: "Too many requests wait for an answer: let some of them finish first."
        case .closed: "The client is closed."
        }
    }
}
