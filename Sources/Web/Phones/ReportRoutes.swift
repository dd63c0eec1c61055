// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import FoundationEssentials
internal import Geodesy
internal import HTTPTypes
internal import JSON
internal import Landmarks
internal import WaymarkClient
internal import WaymarkProtocol
internal import WaymarkTransport
internal import ZeroMQ

/// The routes to which the apps of phones report positions. Each needs the key of a phone, with accounts and without,
/// because a page of a foreign site can make a browser send such requests.
enum ReportRoutes {
    static let all: [WebRoute] =
        app("owntracks", .post, "A message of OwnTracks; the answer has the people near the phone.", ownTracks)
        + app("osmand", .get, "A position in the query, as OsmAnd and GPSLogger send it.", osmAnd)
        + app("osmand", .post, "A position in the query, as a form or as JSON, as Traccar Client sends it.", osmAnd)
        + app("overland", .post, "A batch of Overland: up to 1000 positions.", overland)

    /// A thousand positions of Overland have about 600 KB.
    private static let mostBytes = 1024 * 1024
    /// The most people in an answer to OwnTracks.
    private static let mostFriends = 50

    private static func app(
        _ name: String, _ method: HTTPRequest.Method, _ summary: String, _ handler: @escaping WebRoute.Handler
    ) -> [WebRoute] {
        [("", ""), ("{key}/", " The key is in the path.")].map { part, more in
            WebRoute(
                method: method, template: "/v1/track/\(part)\(name)", summary: summary + more,
                answers: [.init(type: WebAnswer.json)], isOpen: true, takesAnyQuery: true, handler: handler)
        }
    }

    private static let ownTracks: WebRoute.Handler = { context, request in
        let phone = try Phone(context, request)
        let points = try OwnTracksReport.points(try await request.bytes(upTo: mostBytes), now: WallClock.milliseconds)
        let added = try await phone.add(points)
        let people = LandmarkFilter(kinds: ["person"])
        var friends: [Landmark] = []
        // The points are kept already: without friends the app must not send them again.
        if let added, let here = points.last, let grant = try? await phone.grant(), grant.locates,
            let page = try? await context.client.near(here.coordinate, limit: mostFriends + 1, filter: people)
        {
            friends = page.hits.map(\.landmark).filter { $0.id != added.landmark }
        }
        var writer = JSONWriter()
        writer.list { writer in
            for friend in friends.prefix(mostFriends) {
                for type in ["location", "card"] { writer.object { $0.friend(friend, as: type) } }
            }
        }
        return WebAnswer(json: writer.bytes)
    }

    private static let osmAnd: WebRoute.Handler = { context, request in
        let phone = try Phone(context, request)
        let (now, bytes) = (WallClock.milliseconds, try await request.bytes(upTo: mostBytes))
        let points: [TrackPoint]
        if request.mediaType == "application/json", !bytes.isEmpty {
            points = try OsmAndReport.points(ReportRefusal.read(bytes), now: now)
        } else {
            let isForm = request.mediaType == "application/x-www-form-urlencoded" && !bytes.isEmpty
            let query = isForm ? try WebQuery(String(decoding: bytes, as: UTF8.self)) : request.query
            points = try OsmAndReport.points(now: now) { query.text($0) }
        }
        _ = try await phone.add(points)
        return ok
    }

    private static let overland: WebRoute.Handler = { context, request in
        let phone = try Phone(context, request)
        let batch = try ReportRefusal.read(try await request.bytes(upTo: mostBytes))
        _ = try await phone.add(try OverlandReport.points(batch))
        return ok
    }

    /// The answer after which Overland forgets a batch.
    private static let ok = WebAnswer { $0.field("result", "ok") }

    /// A phone that reports.
    private struct Phone {
        private let client: WaymarkClient
        private let key: CurveKey

        /// - Throws: ``Problem`` if the request has no key, or if somebody on the way could read it.
        init(_ context: WebContext, _ request: WebRequest) throws(Problem) {
            try WebGate.check(request.origin)
            guard let key = request.phoneKey.flatMap({ GrantToken($0) })?.digest else { throw .phoneKey }
            // The audit trail has addresses only where accounts are required.
            let author = RequestAuthor(origin: context.gate.needsAccounts ? request.origin.address : "")
            (self.key, client) = (key, context.client.acting(for: author))
        }

        /// - Returns: nil for a report without points, whose key is checked nevertheless.
        func add(_ points: [TrackPoint]) async throws -> PointsAdded? {
            guard !points.isEmpty else {
                guard try await grant()?.kind == .move else { throw Problem.phoneKey }
                return nil
            }
            do throws(Problem) {
                return try await Problem.of { try await client.tracks.add(points, grant: key) }
            } catch {
                throw error.status == .unauthorized ? Problem.phoneKey : error
            }
        }

        func grant() async throws(Problem) -> Grant? {
            try await Problem.of { try await client.grants.find(key)?.grant }
        }
    }
}

extension WebRequest {
    /// The key in the path, as a bearer token, or as a password of Basic (RFC 7617) of any user; nil if there is none.
    fileprivate var phoneKey: String? {
        if let key = path["key"] { return key }
        let parts = (headers[.authorization] ?? "").split(separator: " ")
        guard parts.count == 2 else { return nil }
        if parts[0].lowercased() == "bearer" { return String(parts[1]) }
        guard parts[0].lowercased() == "basic", let pair = Data(base64Encoded: String(parts[1])) else { return nil }
        // A user's name has no colon.
        return pair.firstIndex(of: UInt8(ascii: ":")).map { String(decoding: pair[($0 + 1)...], as: UTF8.self) }
    }
}

extension JSONWriter {
    /// Writes where a person is, or how they are called. The app takes both for one person if their topics are equal.
    fileprivate mutating func friend(_ friend: Landmark, as type: String) {
        field("_type", type)
        field("topic", "waymark/\(friend.id)")
        field("tid", String(friend.name.prefix(2)))
        guard type == "location" else { return field("name", friend.name) }
        field("lat", friend.coordinate.latitude)
        field("lon", friend.coordinate.longitude)
        field("tst", friend.updated / 1_000)
    }
}

extension Problem {
    /// The key of a phone is missing, unknown, or has ended.
    static let phoneKey = Problem(
        .unauthorized, "key_ended",
        "Send the key of a phone, as the password or in the path: it is missing, unknown, or has ended.",
        challenge: "Basic realm=\"Waymark\"")
}
