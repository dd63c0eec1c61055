// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
internal import WaymarkTransport

/// The reason why a request ended without a usable answer.
///
/// If the request was a write, only ``mayBeDone(endpoint:after:)`` leaves open whether the write was executed. All
/// other errors mean that it was not.
public indirect enum ClientError: Error, Sendable {
    /// Nothing listens at the endpoint. Nothing was done.
    case cannotConnect(endpoint: String, reason: String?)
    /// The service does not accept this client's key, or requires a key and the client has none. Nothing was done.
    case keyRefused(endpoint: String, hasNone: Bool = false)
    /// The service does not have the expected key, or has no key. Nothing was done.
    case otherServer(endpoint: String, hasNone: Bool = false)
    /// No answer came in time, and the request was a read, or was never sent.
    case timedOut(endpoint: String)
    /// A write was sent, and whether it was executed is unknown. Sending it again as a new request could execute it
    /// twice. `after` is the error because of which the client stopped waiting.
    case mayBeDone(endpoint: String, after: ClientError)
    /// The service refused the request and gave a reason. Nothing was done; with code `internal`, nothing was
    /// acknowledged.
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
        case .keyRefused(let endpoint, true):
            "\(endpoint) requires accounts, and you have not signed in from here: sign in with \"waymark login NAME\"."
        case .keyRefused(let endpoint, _):
            "\(endpoint) does not accept this key, because it was ended or never signed in: sign in with \"waymark login "
                + "NAME\"."
        case .otherServer(let endpoint, true):
            "\(endpoint) had a key when you signed in, and now has neither key nor accounts: ask who runs it before "
                + "you trust it. If accounts are no longer required there, forget yours with "
                + "\"waymark logout --forget\"."
        case .otherServer(let endpoint, _):
            "\(endpoint) has another key than when you signed in: ask who runs it, and compare the fingerprints, "
                + "before you trust it."
        case .timedOut(let endpoint): "No answer from \(endpoint) in time. Try again."
        case .mayBeDone(let endpoint, let after):
            after.saying(endpoint) + " The request may have been done: check before you repeat it."
        case .refused(let error): error.message
        case .unreadableAnswer(let what):
            "The answer cannot be read (\(what)): bring client and service to the same release."
        case .tooMany: "Too many requests wait for an answer: let some of them finish first."
        case .cancelled: "The request was cancelled."
        case .closed: "The client is closed."
        }
    }

    /// Returns the error for a request that was not sent because there was no connection.
    ///
    /// - Parameter failure: the reason why there is no connection, if known.
    static func unreached(_ endpoint: String, _ failure: ConnectionFailure?) -> ClientError {
        switch failure {
        case .keyRefused: .keyRefused(endpoint: endpoint)
        case .keysNeeded: .keyRefused(endpoint: endpoint, hasNone: true)
        case .otherKey: .otherServer(endpoint: endpoint)
        case .noKeys: .otherServer(endpoint: endpoint, hasNone: true)
        case .unreachable, .unknownHost, .noRoute, .noSocket, .notAllowed, .handshake, .foreign, nil:
            .cannotConnect(endpoint: endpoint, reason: failure?.description)
        }
    }

    /// Returns one sentence about this error, which ended a write that may have been executed.
    private func saying(_ endpoint: String) -> String {
        switch self {
        case .timedOut: "No answer from \(endpoint) in time."
        case .cannotConnect: "\(endpoint) went away before it answered."
        case .refused(let error): "\(endpoint) did not answer at first, and then refused: \(error.message)"
        case .tooMany: "The request was sent, and then too many requests waited for an answer."
        case .cancelled: "The request was cancelled after it was sent."
        case .closed: "The client was closed before \(endpoint) answered."
        case .keyRefused: "\(endpoint) did not answer at first, and then did not accept this key any more."
        case .unreadableAnswer, .mayBeDone, .otherServer: description
        }
    }
}
