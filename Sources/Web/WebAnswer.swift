// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import MapPage

/// The answer of a route to a request.
struct WebAnswer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A body that is written piece by piece, such as events.
        case stream(@Sendable (inout any ResponseBodyWriter) async throws -> Void)
    }

    var status = HTTPResponse.Status.ok
    var contentType: String
    var headers = HTTPFields()
    var body: Body
    /// Whether browsers keep the body for ever.
    var isLasting = false

    static let json = "application/json"
    static let geoJSON = "application/geo+json"

    init(_ contentType: String, _ bytes: [UInt8]) {
        (self.contentType, body) = (contentType, .bytes(bytes))
    }

    init(json bytes: [UInt8] = []) { self.init(Self.json, bytes) }

    /// - Parameter room: the body's approximate size in bytes.
    init(room: Int = 0, _ body: (inout JSONWriter) -> Void) { self.init(json: JSONWriter.line(room: room, body)) }

    init(_ contentType: String, stream: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void) {
        (self.contentType, body) = (contentType, .stream(stream))
    }

    /// Makes the answer with a file of the map page.
    init(_ asset: PageAsset, tiles: TileServer?) {
        self.init(asset.contentType, asset.body)
        headers[.eTag] = asset.etag
        headers[.contentSecurityPolicy] = PageAsset.contentSecurityPolicy(tiles: tiles)
        isLasting = asset.isImmutable
        guard isLasting else { return }
        headers[.cacheControl] = "public, max-age=31536000, immutable"
        // The file is the same for everybody. With `Origin` here, Chromium asks again for what it has.
        headers[.vary] = "Accept-Encoding"
    }

    /// The same answer, which nobody on the way may keep.
    var unkept: WebAnswer {
        var answer = self
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    init(_ problem: Problem) {
        self.init(Problem.contentType, problem.body)
        status = problem.status
        if let seconds = problem.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if problem.endsConnection { headers[.connection] = "close" }
        if let allow = problem.allow { headers[.allow] = allow }
        if status == .unauthorized { headers[.wwwAuthenticate] = problem.challenge ?? "Bearer realm=\"Waymark\"" }
    }
}
