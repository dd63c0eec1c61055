// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import JSON
internal import WaymarkClient

/// An error answer: a problem document (RFC 9457) with the code that programs read.
struct Problem: Error, Sendable {
    static let contentType = "application/problem+json"

    var status: HTTPResponse.Status
    /// The name of an ``ErrorCode``, or a word for an error that only HTTP has.
    var code: String
    /// One sentence for people.
    var detail: String
    /// Seconds to wait before the same request is sent again.
    var retryAfter: Int?
    /// With `version_mismatch`: the landmark's present version.
    var version: UInt64?
    /// With `version_mismatch` of an edit: the fields that have changed since the version that the edit named; nil if
    /// unknown.
    var changed: [String]?
    /// With `compacted` and `future_revision`: the oldest and the newest revision kept.
    var kept: ClosedRange<UInt64>?
    /// With 405: the methods of the path.
    var allow: String?

    /// Whether the connection ends with the answer: a refused client must not keep its place.
    var endsConnection = false

    init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, retryAfter: Int? = nil,
        endsConnection: Bool = false
    ) {
        (self.status, self.code, self.detail) = (status, code, detail)
        (self.retryAfter, self.endsConnection) = (retryAfter, endsConnection)
    }

    /// A request that cannot be parsed, so that no rule of its values can be checked.
    static func malformed(_ detail: String) -> Problem { Problem(.badRequest, "bad_request", detail) }

    static func invalid(_ detail: String) -> Problem { Problem(.unprocessableContent, "invalid", detail) }

    /// Turns any error of a route into a problem.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ClientError: self.init(error)
        case let error as ServiceError: self.init(error)
        case let error as InvalidInput: self = .invalid(error.description)
        case let error as CoordinateError: self = .invalid("The \(error).")
        case ConversionError.unknown(let currency):
            self = .invalid("There is no rate for \(currency): /v1/rates lists all currencies with one.")
        case let error as ConversionError: self = .invalid(error.description)
        // A broken gazetteer is not the fault of the client.
        default: self.init(.internalServerError, "internal", "\(error)")
        }
    }

    init(_ error: ServiceError) {
        self.init(
            error.code.httpStatus, error.code.name,
            // HTTP's name for the number of a request is its key.
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
                "The request may have been done: send it again with the same Idempotency-Key, or check first.")
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
            if let changed { $0.array("changed", changed) }
            if let kept {
                $0.field("floor", kept.lowerBound)
                $0.field("head", kept.upperBound)
            }
        }
    }

    /// Runs a request of the bus and throws its error as a problem.
    ///
    /// A request that is refused with a changed epoch or a future revision is sent once more. Somebody has put an older
    /// copy of the database back, and the refused position is not the HTTP client's: the bus client added that of its
    /// own last write, and has forgotten it with the refusal. Nothing was done, so repeating is safe.
    static func of<Answer>(_ body: () async throws -> Answer) async throws(Problem) -> Answer {
        do { return try await body() } catch {
            guard case ClientError.refused(let refusal) = error,
                [.futureRevision, .epochChanged].contains(refusal.code)
            else { throw Problem(error) }
        }
        do { return try await body() } catch { throw Problem(error) }
    }
}

extension ErrorCode {
    /// The status of an answer with this code.
    var httpStatus: HTTPResponse.Status {
        switch self {
        case .badFrame: .badRequest
        case .denied, .accountEnded: .forbidden
        case .wrongPassword, .keyEnded: .unauthorized
        case .notFound: .notFound
        // The version in If-Match is not the present one.
        case .versionMismatch: .preconditionFailed
        case .compacted, .epochChanged: .gone
        case .tooLarge: .contentTooLarge
        case .futureRevision: .rangeNotSatisfiable
        case .outsideRegion: .misdirectedRequest
        case .invalid: .unprocessableContent
        case .requestConflict, .forgotten: .conflict
        case .notYet, .unavailable: .serviceUnavailable
        case .protocolVersion: .badGateway
        case .busy: .tooManyRequests
        case .internal: .internalServerError
        case .unknownCommand: .notImplemented
        case .storageFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }
}
