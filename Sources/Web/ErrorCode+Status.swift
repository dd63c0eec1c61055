// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkProtocol

extension ErrorCode {
    /// The status of an answer with this code.
    var httpStatus: HTTPResponse.Status {
        switch self {
        case .badFrame: .badRequest
        case .denied, .accountEnded: .forbidden
        case .wrongPassword, .keyEnded: .unauthorized
        case .notFound: .notFound
        // The version that If-Match named is not the present one.
        case .versionMismatch: .preconditionFailed
        case .compacted: .gone
        case .epochChanged: .gone
        case .tooLarge: .contentTooLarge
        case .futureRevision: .rangeNotSatisfiable
        case .outsideRegion: .misdirectedRequest
        case .invalid: .unprocessableContent
        case .requestConflict: .conflict
        case .forgotten: .conflict
        case .notYet: .serviceUnavailable
        case .protocolVersion: .badGateway
        case .busy: .tooManyRequests
        case .internal: .internalServerError
        case .unknownCommand: .notImplemented
        case .unavailable: .serviceUnavailable
        case .storageFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }
}
