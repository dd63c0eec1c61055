// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Landmarks
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// Why a request has no other answer: a problem document (RFC 9457) with the code that programs read.
struct Problem: Error, Sendable {
    static let contentType = "application/problem+json"

    var status: HTTPResponse.Status
    /// The name of an ``ErrorCode``, or a word for what only HTTP has.
    var code: String
    /// One sentence for people.
    var detail: String
    /// Seconds to wait before the same request is sent again.
    var retryAfter: Int?
    /// With `version_mismatch`: the landmark's present version.
    var version: UInt64?
    /// With `version_mismatch` of an edit: the fields that are not as they were at the version that it named; nil: not known.
    var changed: [String]?
    /// With `compacted` and `future_revision`: the oldest and the newest revision kept.
    var kept: ClosedRange<UInt64>?
    /// With 405: the methods of the path.
    var allow: String?

    /// Whether the connection ends with the answer: whoever is refused must not go on taking up room.
    var endsConnection = false

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, retryAfter: Int? = nil) {
        (self.status, self.code, self.detail, self.retryAfter) = (status, code, detail, retryAfter)
    }

    /// Something cannot be read at all, so that no rule of its values can be asked.
    static func malformed(_ detail: String) -> Problem { Problem(.badRequest, "bad_request", detail) }

    static func invalid(_ detail: String) -> Problem { Problem(.unprocessableContent, "invalid", detail) }

    init(_ error: InvalidInput) { self = .invalid(error.description) }

    init(_ error: ServiceError) {
        self.init(
            error.code.httpStatus, error.code.name,
            // Over HTTP the number of a request is its key.
            error.code == .requestConflict ? IdempotencyKey.reused : error.message)
        if error.code.isRetryable { retryAfter = max(1, Int((Double(error.retryAfter) / 1_000).rounded(.up))) }
        if error.code == .versionMismatch, error.version > 0 { version = error.version }
        if [.compacted, .futureRevision].contains(error.code), error.head > 0, error.floor <= error.head {
            kept = error.floor...error.head
        }
    }

    init(_ error: ClientError) {
        switch error {
        case .refused(let refusal): self.init(refusal)
        case .cannotConnect, .timedOut, .closed, .cancelled, .keyRefused, .otherServer:
            self.init(.serviceUnavailable, "unavailable", "The service does not answer: try again.", retryAfter: 1)
        case .tooMany:
            self.init(.tooManyRequests, "busy", "Too many requests wait for an answer: try again.", retryAfter: 1)
        case .mayBeDone:
            self.init(
                .gatewayTimeout, "may_be_done",
                "It is unknown whether it was done: send it again with the same Idempotency-Key, or look first.")
        case .unreadableAnswer: self.init(.badGateway, "unreadable_answer", error.description)
        }
    }

    /// The document, as one line.
    var body: [UInt8] {
        JSONWriter.line {
            $0.field("type", "about:blank")
            $0.field("title", status.reasonPhrase)
            $0.field("status", UInt64(status.code))
            $0.field("code", code)
            $0.field("detail", detail)
            if let version { $0.field("version", version) }
            if let changed {
                $0.key("changed")
                $0.array(changed) { $0.value($1) }
            }
            if let kept {
                $0.field("floor", kept.lowerBound)
                $0.field("head", kept.upperBound)
            }
        }
    }
}
