// SPDX-License-Identifier: Apache-2.0

/// The error codes: a closed set. Each code tells the peer what to do. See `Protocol.md`, part Errors.
public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// The frames or the protobuf in them cannot be read. A bug of the sender: do not send it again.
    case badFrame = 400
    /// The role of the account does not allow it, or it belongs to somebody else. Do not send it again as the same user.
    case denied = 401
    /// There is nothing with this id.
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
    /// A different request with the same client and sequence was received before. A bug of the client: number requests anew.
    case requestConflict = 423
    /// The answer to this request is no longer remembered, so it may or may not have been done. Check before you send it
    /// again under a new number.
    case forgotten = 424
    /// The replica has not reached the requested revision. Send the same request again.
    case notYet = 425
    /// Client and service have no protocol version in common. Bring client and service to the same release.
    case protocolVersion = 426
    /// The service has too much to do. Send the same request again after `retry_after_ms`.
    case busy = 429
    /// The name and the password do not belong together, or the invitation is none. Ask the person again.
    case wrongPassword = 430
    /// The key that the connection shows was ended, has expired, or is not known. Sign in again.
    case keyEnded = 431
    /// The account was ended. Ask an administrator.
    case accountEnded = 432
    /// A bug of the service or a failed disk. The write was not acknowledged.
    case `internal` = 500
    /// A command that this version does not know, or that this service does not answer.
    case unknownCommand = 501
    /// Storage is not reachable, or the service is starting or stopping. The request was not done: send it again.
    case unavailable = 503
    /// The disk is full. The write was not done. Reads still work.
    case storageFull = 507

    /// Whether the same request may succeed when it is sent again.
    public var isRetryable: Bool { [.notYet, .busy, .unavailable, .storageFull].contains(self) }

    /// Whether every copy of a write gets this refusal, so that none of them was done. That holds for refusals that depend
    /// on the bytes of the write alone, and for those that storage remembers. It holds for a wrong password too: to a copy
    /// of a change that was done the new password counts as right. Any other refusal is about one copy of the write, or
    /// about the state of the service at that moment.
    public var isVerdict: Bool {
        [.badFrame, .denied, .notFound, .versionMismatch, .tooLarge, .invalid, .wrongPassword].contains(self)
    }

    /// The name in JSON output, log lines and metrics.
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
