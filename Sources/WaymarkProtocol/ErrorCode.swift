// SPDX-License-Identifier: Apache-2.0

/// The error codes: a closed set. Each code tells the peer what to do. See `Protocol.md`, part Errors.
public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// The frames or the protobuf in them cannot be read. A bug of the sender: do not send the message again.
    case badFrame = 400
    /// The account's role does not allow this, or the object belongs to somebody else. Do not send the request again as
    /// the same user.
    case denied = 401
    /// Nothing has this id.
    case notFound = 404
    /// The given version is not the current one, because somebody else changed the landmark. Read it and decide again.
    case versionMismatch = 409
    /// The requested changes are no longer in the log. Take a snapshot.
    case compacted = 410
    /// The database has a different history now. Discard the position and take a snapshot.
    case epochChanged = 412
    /// The request exceeds a documented limit. Send less.
    case tooLarge = 413
    /// The requested revision is beyond the head. The position is not from this history.
    case futureRevision = 416
    /// The service holds only a region, and the answer may need what is outside of it. Ask a service that holds more.
    case outsideRegion = 421
    /// A value breaks a rule. Correct it.
    case invalid = 422
    /// A different request with the same client and sequence was received before. A bug of the client: number requests
    /// anew.
    case requestConflict = 423
    /// The answer to this request is no longer remembered, so the request may or may not have been executed. Check
    /// before you send it again under a new number.
    case forgotten = 424
    /// The replica has not reached the requested revision. Send the same request again.
    case notYet = 425
    /// Client and service have no protocol version in common. Bring both to the same release.
    case protocolVersion = 426
    /// The service is overloaded. Send the same request again after `retry_after_ms`.
    case busy = 429
    /// The name and the password do not match, or the invitation is invalid. Ask the person again.
    case wrongPassword = 430
    /// The connection's key was ended, has expired, or is not known. Sign in again.
    case keyEnded = 431
    /// The account was ended. Ask an administrator.
    case accountEnded = 432
    /// A bug of the service or a failed disk. The write was not acknowledged.
    case `internal` = 500
    /// This version does not know the command, or this service does not answer it.
    case unknownCommand = 501
    /// Storage is not reachable, or the service is starting or stopping. The request was not executed: send it again.
    case unavailable = 503
    /// The disk is full. The write was not executed. Reads still work.
    case storageFull = 507

    /// Whether the same request may succeed later.
    public var isRetryable: Bool { [.notYet, .busy, .unavailable, .storageFull].contains(self) }

    /// Whether every copy of a write gets this refusal, so that none of them was executed. This holds for refusals that
    /// depend on the bytes of the write alone, and for those that storage remembers. Any other refusal concerns one
    /// copy of the write, or the state of the service at that moment. A wrong password counts: a copy that follows an
    /// executed one never gets that refusal, because the new password is accepted too.
    public var isVerdict: Bool {
        [.badFrame, .denied, .notFound, .versionMismatch, .tooLarge, .invalid, .wrongPassword].contains(self)
    }

    /// The code's name in JSON output, log lines and metrics.
    public var name: String {
        switch self {
        case .badFrame: "bad_frame"
        case .denied: "denied"
        case .notFound: "not_found"
        case .versionMismatch: "version_mismatch"
        case .compacted: "compacted"
        case .epochChanged: "epoch_changed"
        case .tooLarge: "too_large"
        case .futureRevision: "future_revision"
        case .outsideRegion: "outside_region"
        case .invalid: "invalid"
        case .requestConflict: "request_conflict"
        case .forgotten: "forgotten"
        case .notYet: "not_yet"
        case .protocolVersion: "protocol_version"
        case .busy: "busy"
        case .wrongPassword: "wrong_password"
        case .keyEnded: "key_ended"
        case .accountEnded: "account_ended"
        case .internal: "internal"
        case .unknownCommand: "unknown_command"
        case .unavailable: "unavailable"
        case .storageFull: "storage_full"
        }
    }
}
