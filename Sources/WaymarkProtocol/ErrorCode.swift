// SPDX-License-Identifier: Apache-2.0

/// The registry of errors: a closed set, each of which tells the peer what to do. See `Protocol.md`, part Errors.
public enum ErrorCode: UInt32, Sendable, CaseIterable {
    /// The frames or the protobuf in them cannot be read. Your bug: do not send it again.
    case badFrame = 400
    /// The access rules refuse it. Do not send it again as the same user.
    case denied = 401
    /// There is nothing with this id.
    case notFound = 404
    /// Somebody was faster: the version given is not the current one. Read again, decide again.
    case versionMismatch = 409
    /// The changes asked for are no longer kept. Take a snapshot.
    case compacted = 410
    /// It is another history now. Forget the position, take a snapshot.
    case epochChanged = 412
    /// Over a stated limit. Send less.
    case tooLarge = 413
    /// A revision beyond the head was asked for. The position is not from this history.
    case futureRevision = 416
    /// A value breaks a rule. Correct it.
    case invalid = 422
    /// The same client and sequence named another request before. Your bug: number requests anew.
    case requestConflict = 423
    /// The answer to this request, or to a later one of the same client, is no longer remembered: it may have been done.
    /// Look before you do it again, under a new number.
    case forgotten = 424
    /// The replica has not reached the revision asked for. Send the same request again.
    case notYet = 425
    /// No version of the protocol in common. Bring client and service to the same release.
    case protocolVersion = 426
    /// Too much at once. Send the same request again after `retry_after_ms`.
    case busy = 429
    /// Our bug or a failed disk. Nothing was acknowledged.
    case `internal` = 500
    /// A command that this version does not know, or that this service does not answer.
    case unknownCommand = 501
    /// Storage is away, or the service is starting or stopping. Not done: send the same request again.
    case unavailable = 503
    /// The disk is full. Not done; reads go on.
    case storageFull = 507

    /// Whether the same request, sent again unchanged, may succeed.
    public var isRetryable: Bool {
        switch self {
        case .notYet, .busy, .unavailable, .storageFull: true
        default: false
        }
    }

    /// The word for programs: as in JSON output, log lines and metrics.
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
        case .invalid: "invalid"
        case .requestConflict: "request_conflict"
        case .forgotten: "forgotten"
        case .notYet: "not_yet"
        case .protocolVersion: "protocol_version"
        case .busy: "busy"
        case .internal: "internal"
        case .unknownCommand: "unknown_command"
        case .unavailable: "unavailable"
        case .storageFull: "storage_full"
        }
    }
}
