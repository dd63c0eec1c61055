// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// The exit status of a command. The set of values is closed, because scripts rely on it.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    /// Any other failure, including refusals because of the request itself: the landmark was not found or has another
    /// version, or a value breaks a rule.
    case failed = 1
    case usage = 2
    /// The service cannot be used: nothing listens at the endpoint, the handshake failed, the service has no connection
    /// to storage, or it is still starting. The failed request was not done; earlier requests of the same command may
    /// have been done.
    case cannotConnect = 3
    /// No answer came in time, so it is unknown whether a write was done; or none reflects the requested revision.
    case timedOut = 4
    /// The access rules refuse the request.
    case denied = 5
    /// The requested changes were removed by compaction, belong to another epoch, or lie in the future.
    case historyGone = 6
    /// Client and service have no protocol version in common.
    case protocolVersion = 7
    /// No place has the given name. Separate from `failed`, because a script may want to ask for another name.
    case placeNotFound = 8
    /// The name or the password is wrong, or the invitation is not valid.
    case wrongPassword = 9
    /// The account was ended.
    case accountEnded = 10
    /// The key was ended, has expired, or never signed in; or the person has no key.
    case keyEnded = 11
    /// The service has no key, or a key other than the one it had at the first connection.
    case serverKeyChanged = 12
    /// SIGINT ended the command.
    case interrupted = 130
    /// The reader of the output has closed the pipe (SIGPIPE).
    case readerGone = 141
    /// SIGTERM ended the command.
    case terminated = 143

    init(_ error: ClientError) { self = error.verdict.status }

    init(_ code: ErrorCode) {
        switch code {
        case .denied: self = .denied
        case .wrongPassword: self = .wrongPassword
        case .accountEnded: self = .accountEnded
        case .keyEnded: self = .keyEnded
        case .compacted, .epochChanged, .futureRevision: self = .historyGone
        case .protocolVersion: self = .protocolVersion
        case .notYet, .forgotten: self = .timedOut
        case .unavailable: self = .cannotConnect
        case .badFrame, .notFound, .versionMismatch, .tooLarge, .outsideRegion, .invalid, .requestConflict, .busy,
            .internal, .unknownCommand, .storageFull:
            self = .failed
        }
    }
}

extension ClientError {
    /// The exit status for the error, and the code that tells programs what failed.
    var verdict: (status: ExitStatus, code: String) {
        switch self {
        case .cannotConnect: (.cannotConnect, "cannot_connect")
        case .keyRefused(_, let hasNone): (.keyEnded, hasNone ? "no_key" : ErrorCode.keyEnded.name)
        case .otherServer: (.serverKeyChanged, "server_key_changed")
        case .timedOut: (.timedOut, "timed_out")
        case .mayBeDone: (.timedOut, "may_be_done")
        case .refused(let refusal): (ExitStatus(refusal.code), refusal.code.name)
        case .unreadableAnswer: (.protocolVersion, "unreadable_answer")
        case .tooMany: (.failed, "too_many")
        case .cancelled: (.failed, "cancelled")
        case .closed: (.failed, "closed")
        }
    }

    /// The error with which the service refused the request; nil for any other error.
    var refusal: ServiceError? { if case .refused(let refusal) = self { refusal } else { nil } }

    var isTimeout: Bool { if case .timedOut = self { true } else { false } }

    /// Whether the same request may succeed later.
    var mayPass: Bool {
        switch self {
        case .cannotConnect, .timedOut, .mayBeDone: true
        case .refused(let refusal): refusal.code.isRetryable
        case .unreadableAnswer, .keyRefused, .otherServer, .tooMany, .cancelled, .closed: false
        }
    }
}
