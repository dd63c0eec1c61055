// SPDX-License-Identifier: Apache-2.0

/// The error codes, as a closed set. Each code tells the peer what to do. See `Protocol.md`, part Errors.
public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// The frames, or the protobuf in them, cannot be read. This is a bug of the sender; do not send the message again.
    case badFrame = 400
    /// The account's role does not allow this, or the landmark or note belongs to somebody else. Do not send the
    /// request again as the same user.
    case denied = 401
    /// There is no landmark, note or other object with this id.
    case notFound = 404
    /// The given version is not the current one, because somebody else changed the landmark. Read it and decide again.
    case versionMismatch = 409
    /// The requested changes are no longer in the log. Take a snapshot.
    case compacted = 410
    /// The database has a different history now. Discard the position and take a snapshot.
    case epochChanged = 412
    /// The request exceeds a documented limit. Send less.
    case tooLarge = 413
    /// The requested revision is later than the newest one, so the position is not from this history.
    case futureRevision = 416
    /// The service holds only a region, and the answer may depend on more. Ask a service that holds more.
    case outsideRegion = 421
    /// A value breaks a rule. Correct the value.
    case invalid = 422
    /// Another request with the same client id and number was received before. A bug of the client: number requests
    /// anew.
    case requestConflict = 423
    /// The service no longer remembers the answer to this request, so the request may or may not have been executed.
    /// Check before you send it again under a new number.
    case forgotten = 424
    /// The replica has not reached the requested revision yet. Send the same request again.
    case notYet = 425
    /// Client and service have no protocol version in common. Upgrade both to the same release.
    case protocolVersion = 426
    /// The service is overloaded. Send the same request again after `retry_after_ms`.
    case busy = 429
    /// The name and the password do not match, or the invitation is invalid. Ask the person again.
    case wrongPassword = 430
    /// The connection's key was ended, has expired, or is unknown. Sign in again.
    case keyEnded = 431
    /// The account was ended. Ask an administrator.
    case accountEnded = 432
    /// A bug of the service or a failed disk. The write was not acknowledged.
    case `internal` = 500
    /// This version does not know the request, or this service does not answer it.
    case unknownCommand = 501
    /// Storage is unreachable, or the service is starting or stopping. The request was not executed; send it again.
    case unavailable = 503
    /// The disk is full. The write was not executed. Reads still work.
    case storageFull = 507

    /// Whether the same request may succeed later.
    public var isRetryable: Bool { [.notYet, .busy, .unavailable, .storageFull].contains(self) }

    /// Whether every copy of a write would get this refusal, so that no copy was executed. This is the case if the
    /// refusal depends only on the bytes of the write, or if storage remembers the refusal. Any other refusal concerns
    /// one copy of the write, or the present state of the service. A wrong password is included, because a copy after
    /// an executed one never gets this refusal: the new password is accepted too.
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
