// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkClient
internal import WebServer

/// The stream of changes as server-sent events.
enum ChangeRoute {
    static let all: [WebRoute] = [changes]

    private static let changes = WebRoute(
        method: .get, template: "/v1/changes", summary: "Changes as they happen, as server-sent events.",
        parameters: [
            .init(name: "since", help: "Continue after this event's id (EPOCH-RUN-REV), or after this revision."),
            .init(name: "Last-Event-ID", place: .header, help: "Same as since; overrides since and snapshot."),
            .init(
                name: "snapshot", help: "Begin with all landmarks, then synced, then changes.",
                schema: WebSchemas.flag),
            .latitude("With lng and radius: only within a circle."),
            .longitude("Longitude of the circle's centre in degrees."),
            .init(name: "radius", help: "The circle's radius in metres.", schema: WebSchemas.metres),
            .within, .fence, .kind,
            .init(name: "user", help: "Only landmarks that this user added; repeat it for several.", repeats: true),
            .init(name: "source", help: "Only landmarks from this source; repeat it for several.", repeats: true),
            .init(name: "id", help: "Only the landmark with this id; repeat it for several.", repeats: true),
            .init(
                name: "op", help: "Only these operations: added, changed, removed, noted, entered, left; with commas."),
        ], answers: [.init(type: "text/event-stream")]
    ) { context, request in
        let query = request.query
        let filter = try await context.filter(try query.feedFilter(), within: try query.fence(), for: request)
        let start = try await start(context, request)
        let caller = request.caller
        let network = request.network
        let stream = ChangeStream(
            hub: context.hub, client: context.client, network: network, filter: filter, start: start,
            isWelcome: { [gate = context.gate] in gate.isWelcome(caller) })
        guard context.hub.hasRoom(for: network) else {
            context.hub.metrics.refusedReader()
            throw Problem.tooManyStreams
        }
        return WebAnswer("text/event-stream") { try await stream.write(to: &$0) }.unkept
    }

    /// Returns the position after which the stream begins; nil for a stream that begins with all landmarks.
    private static func start(_ context: WebContext, _ request: WebRequest) async throws -> Position? {
        if let text = request.headers[.lastEventID], !text.isEmpty {
            return try Position(eventID: text).or(
                .invalid("The header Last-Event-ID must be the id of an event: EPOCH-RUN-REV."))
        }
        if let text = request.query.text("since") {
            if let position = Position(eventID: text) { return position }
            let rev = try UInt64(text).or(
                .invalid("The parameter since must be the id of an event (EPOCH-RUN-REV) or a revision."))
            return Position(epoch: try await position(context).epoch, rev: rev)
        }
        if try request.query.flag("snapshot") { return nil }
        return try await position(context)
    }

    private static func position(_ context: WebContext) async throws(Problem) -> Position {
        try await Problem.of { try await context.client.hello().position }
    }
}

extension Problem {
    static let tooManyStreams = Problem(
        .serviceUnavailable, "busy", "Too many streams are open: try again later.", retryAfter: 5, endsConnection: true)
}

extension WebRequest {
    /// The network of a stream's reader. Nil for programs on this machine, including a proxy that is not configured as
    /// trusted: they may stand for many clients, and are not counted as one network.
    var network: IPAddress? { origin.client?.isLoopback == true ? nil : origin.client?.network }
}

extension WebQuery {
    /// Returns the feed's filter for these parameters. Converts the values to the form in which landmarks are stored.
    fileprivate func feedFilter() throws -> FeedFilter {
        var filter = FeedFilter()
        filter.kinds = Set(try all("kind").map(LandmarkRules.kind))
        filter.users = Set(try all("user").map(LandmarkRules.user))
        filter.sources = Set(try all("source").map(LandmarkRules.source))
        for text in all("id") {
            filter.ids.insert(try UUIDv7(text).or(.invalid("The parameter id must be an id of 36 characters.")))
        }
        for word in all("op").flatMap({ $0.split(separator: ",") }) {
            let known = FeedOperation.allCases.map(\.rawValue).joined(separator: ", ")
            filter.operations.insert(
                try FeedOperation(rawValue: String(word)).or(.invalid("The parameter op must be some of \(known).")))
        }
        filter.area = try Self.area(try coordinate(), try number("radius"), or: try within())
        return try filter.checked()
    }
}
