// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import NIOCore
internal import WaymarkClient
internal import WaymarkJSON
internal import WebServer

/// A request that matches a route, with its decoded query and its headers.
struct WebRequest: Sendable {
    /// The maximum size of a body in bytes. The longest note and all attributes together are smaller.
    static let bodyBytes = 256 * 1024

    let method: HTTPRequest.Method
    let query: WebQuery
    /// The values of the variable parts of the path.
    var path: [String: String] = [:]
    /// The names of the members that the body may have.
    var fields: Set<String> = []
    let headers: HTTPFields
    /// The value of the header `Host`.
    let authority: String?
    var origin = RequestOrigin.unknown
    var caller = WebCaller.anyone
    private let body: RequestBody

    /// - Throws: ``Problem`` if the query cannot be decoded, or if the header Expect contains something unknown.
    init(_ request: Request) throws(Problem) {
        method = request.method
        headers = request.headers
        guard headers[.expect] == nil || headers.awaitsWord else {
            throw Problem(
                .expectationFailed, "expectation_failed", "The header Expect may only be 100-continue: leave it out.")
        }
        authority = request.head.authority
        body = request.body
        query = try WebQuery(request.uri.query ?? "")
    }

    /// Returns an id in the path.
    func id(_ name: String = "id") throws(Problem) -> UUIDv7 {
        try path[name].flatMap { UUIDv7($0) }
            .or(.invalid("The path has no valid id: copy all of its 36 characters."))
    }

    /// Whether the client asks for GeoJSON with the header `Accept` or the parameter `format`.
    func wantsGeoJSON() throws(Problem) -> Bool {
        let asked = try query.value("format", "json or geojson") { ["geojson": true, "json": false][$0] }
        // Use firstRange, because `contains` would be Foundation's, which links ICU with 34 MB.
        return asked ?? (headers[.accept]?.firstRange(of: "application/geo+json") != nil)
    }

    /// Returns the form of a list that the client asks for with the parameter `format` or the header `Accept`; nil for
    /// JSON.
    func listForm() throws(Problem) -> ListForm? {
        if query.text("format") == "json" { return nil }
        let asked = try query.value("format", "json, geojson, kml, gpx or csv", ListForm.init(rawValue:))
        if let asked { return asked }
        // The first known type counts, whatever its weight.
        for part in (headers[.accept] ?? "").split(separator: ",") {
            let type = part.prefix { $0 != ";" }.filter { $0 != " " }
            if type == "application/json" { return nil }
            if let form = ListForm.allCases.first(where: { $0.contentType == type }) { return form }
        }
        return nil
    }

    /// Returns the author of a write: the account of the caller; if accounts are not required, the name in the request.
    ///
    /// - Parameter gate: checks the caller again, because the key may have ended while the body was arriving slowly.
    func author(_ gate: WebGate) throws -> RequestAuthor {
        guard gate.isWelcome(caller) else { throw Problem.keyEnded }
        var author = try author()
        let name = author.account > 0 ? "\0account \(author.account)" : author.user
        author.once = try IdempotencyKey.identity(headers, user: name)
        return author
    }

    /// The author of a read whose answer depends on the reader: the account of the caller, or the name in the request.
    var reader: RequestAuthor { (try? author()) ?? RequestAuthor() }

    private func author() throws -> RequestAuthor {
        guard case .account(let account, let key) = caller else {
            let user = try String(percentEncoded: headers[.waymarkUser] ?? "").or(
                .malformed("The header Waymark-User is not percent-encoded UTF-8."))
            return RequestAuthor(user: try LandmarkRules.user(user))
        }
        return RequestAuthor(account: account.number, origin: origin.address, key: key)
    }

    /// Returns the beginning of this service's URLs, by the name under which the client has reached it.
    func base() throws(Problem) -> String {
        let isPlain = authority?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }
        guard let authority, isPlain == true else { throw Problem.malformed("The header Host is no name and port.") }
        return "\(origin.isHTTPS ? "https" : "http")://\(authority)"
    }

    /// The name in the path.
    var name: String { path["name"] ?? "" }

    /// The type of the body without its parameters; nil if the header is missing.
    var mediaType: String? { headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() } }

    /// Reads the body.
    ///
    /// - Parameter most: the maximum size of the body in bytes.
    func bytes(upTo most: Int) async throws(Problem) -> [UInt8] {
        if let coding = headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(.unsupportedMediaType, "unsupported_media_type", "Send the body without Content-Encoding.")
        }
        let tooLarge = Problem(.contentTooLarge, "too_large", "The body is larger than \(most) bytes.")
        // Check the length before reading the body, so that a client that waits for a 100 (Continue) need not send it.
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > most { throw tooLarge }
        do {
            return [UInt8](buffer: try await body.collect(upTo: most))
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            throw Problem.malformed("The body broke off, or its chunks are not those of HTTP/1.1.")
        }
    }

    /// Reads the body, which must be a JSON object.
    ///
    /// - Parameter most: the maximum size of the body in bytes.
    func json(upTo most: Int) async throws(Problem) -> [JSONMember] {
        guard mediaType == "application/json" else {
            throw Problem(.unsupportedMediaType, "unsupported_media_type", "Send the body as application/json.")
        }
        let bytes = try await bytes(upTo: most)
        do throws(JSONError) {
            if case .object(let members) = try JSONReader.read(bytes, isStrict: true) { return members }
        } catch .cutOff {
            throw Problem.malformed("The JSON of the body ends before it is complete.")
        } catch {
            throw Problem.malformed("The body is not JSON. \(error)")
        }
        throw Problem.invalid("The body is not a JSON object.")
    }
}

extension HTTPField.Name {
    // The initialisers never return nil, because the names are tokens of RFC 9110.
    static let waymarkUser = known("Waymark-User")
    static let idempotencyKey = known("Idempotency-Key")
    static let waymarkCursor = known("Waymark-Cursor")
    static let lastEventID = known("Last-Event-ID")
    static let contentSecurityPolicy = known("Content-Security-Policy")
    static let referrerPolicy = known("Referrer-Policy")
    static let resourcePolicy = known("Cross-Origin-Resource-Policy")

    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }
}
