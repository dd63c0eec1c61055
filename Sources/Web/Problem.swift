// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import JSON
internal import WaymarkClient

/// An error as an answer: a problem document (RFC 9457) with a code for programs.
struct Problem: Error, Sendable {
    static let contentType = "application/problem+json"

    var status: HTTPResponse.Status
    /// The name of an ``ErrorCode``, or a word for an error that occurs only in HTTP.
    var code: String
    /// One sentence for people.
    var detail: String
    /// The seconds to wait before the same request is sent again; nil if repeating does not help.
    var retryAfter: Int?
    /// For `version_mismatch`: the present version of the landmark.
    var version: UInt64?
    /// For `version_mismatch` of an edit: the fields that have changed since the version that the edit named; nil if
    /// they are not known.
    var changed: [String]?
    /// For `compacted` and `future_revision`: the oldest and the newest revision in the log.
    var kept: ClosedRange<UInt64>?
    /// For status 405: the methods that the path supports.
    var allow: String?
    /// For status 401: how to identify oneself; nil for a bearer token.
    var challenge: String?

    /// Whether the connection is closed after the answer, so that a refused client does not keep it.
    var endsConnection = false

    init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, retryAfter: Int? = nil, allow: String? = nil,
        challenge: String? = nil, endsConnection: Bool = false
    ) {
        (self.status, self.code, self.detail, self.retryAfter) = (status, code, detail, retryAfter)
        (self.allow, self.challenge, self.endsConnection) = (allow, challenge, endsConnection)
    }

    /// Makes the problem for a request that cannot be parsed, so that its values cannot be checked.
    static func malformed(_ detail: String) -> Problem { Problem(.badRequest, "bad_request", detail) }

    static func invalid(_ detail: String) -> Problem { Problem(.unprocessableContent, "invalid", detail) }

    /// Converts any error of a route to a problem.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ClientError: self.init(error)
        case let error as ServiceError: self.init(error)
        case let error as CoordinateError: self = .invalid("The \(error).")
        case ConversionError.unknown(let currency):
            self = .invalid("There is no rate for \(currency): /v1/rates lists all currencies with one.")
        case is ReportRefusal, is InvalidInput, is ConversionError: self = .invalid("\(error)")
        // A broken gazetteer is not the fault of the client.
        default: self.init(.internalServerError, "internal", "\(error)")
        }
    }

    init(_ error: ServiceError) {
        self.init(
            error.code.httpStatus, error.code.name,
            // In HTTP the number of a request is called its key.
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

    /// The problem document in one line.
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

    /// Runs a request of the protocol, and throws its error as a problem.
    ///
    /// A request that is refused with a changed epoch or a future revision is sent once more. The reason is that an
    /// older copy of the database was restored. The refused position does not come from the HTTP client: the client of
    /// the protocol added the position of its own last write, and forgot it when it was refused. Nothing was done, so
    /// repeating the request is safe.
    static func of<Answer>(_ body: () async throws -> Answer) async throws(Problem) -> Answer {
        do { return try await body() } catch {
            guard case ClientError.refused(let refusal) = error,
                [.futureRevision, .epochChanged].contains(refusal.code)
            else { throw Problem(error) }
        }
        do { return try await body() } catch { throw Problem(error) }
    }
}

extension Optional {
    /// Returns the value; for nil throws the problem.
    func or(_ problem: @autoclosure () -> Problem) throws(Problem) -> Wrapped {
        guard let self else { throw problem() }
        return self
    }
}

extension ErrorCode {
    /// The HTTP status of an answer with this code.
    var httpStatus: HTTPResponse.Status {
        switch self {
        case .badFrame: .badRequest
        case .denied, .accountEnded: .forbidden
        case .wrongPassword, .keyEnded: .unauthorized
        case .notFound: .notFound
        // The version in If-Match differs from the present version.
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
