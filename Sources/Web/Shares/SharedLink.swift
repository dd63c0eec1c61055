// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import JSON
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkTransport

/// A link that has not ended: what it shows, and the areas within which it tells no position.
struct SharedLink: Sendable, Hashable {
    /// The maximum number of landmarks of an area.
    private static let most = 1_000

    let grant: Grant
    private let zones: [FeedFilter]

    /// Returns the link of a secret's digest; nil if there is none, or if it has ended.
    static func find(_ digest: CurveKey, _ client: WaymarkClient) async throws(ClientError) -> SharedLink? {
        guard let found = try await client.grants.find(digest), found.grant.kind == .see else { return nil }
        return SharedLink(grant: found.grant, zones: found.zones)
    }

    /// The filter of the changes that concern the link.
    var filter: FeedFilter {
        switch grant.target {
        case .landmark(let id): FeedFilter(ids: [id])
        case .area(let filter): filter
        }
    }

    /// Whether the link tells no position of a landmark.
    func hides(_ subject: FilterSubject) -> Bool { zones.contains { $0.matches(subject) } }

    /// Reads what the link shows now.
    func view(_ client: WaymarkClient) async throws -> SharedView {
        func told(_ landmark: Landmark) -> SharedLandmark {
            SharedLandmark(FilterSubject(landmark), landmark.name, updated: landmark.updated, by: self)
        }
        switch grant.target {
        case .landmark(let id):
            let found = try await Problem.of { try await client.show(id, history: 1) }
            let rev = found.entries.first?.rev ?? 0
            return SharedView(grant: grant, landmarks: [told(found.landmark)], hasMore: false, rev: rev)
        case .area(let area):
            guard let filter = LandmarkFilter(area) else { throw Problem.strangeArea }
            let page = try await Problem.of { try await client.list(.byRecent, limit: Self.most, filter: filter) }
            return SharedView(
                grant: grant, landmarks: page.hits.map { told($0.landmark) }, hasMore: page.cursor != nil,
                rev: page.freshness.position.rev)
        }
    }
}

/// Everything that a link shows at one time. Writes `kind label now until track landmark private`, or
/// `landmarks more` in place of `landmark`.
struct SharedView: JSONObject {
    let grant: Grant
    let landmarks: [SharedLandmark]
    let hasMore: Bool
    /// The revision up to which this reflects the changes that the link tells; 0 if the log no longer keeps the last one.
    let rev: UInt64

    func fields(to writer: inout JSONWriter) {
        let isOne = grant.landmark != nil
        writer.field("kind", isOne ? "landmark" : "area")
        writer.field("label", grant.label)
        // The reader's clock may differ.
        writer.field("now", time: WallClock.milliseconds)
        writer.field("until", grant.expires.map { Timestamp.rfc3339($0) })
        writer.field("track", isOne && grant.showsTrack)
        if isOne {
            writer.object("landmark", landmarks.first)
        } else {
            writer.array("landmarks", landmarks)
            writer.field("more", hasMore)
        }
        writer.field("private", landmarks.contains(where: \.isHidden))
    }
}

/// A landmark as a link tells it. Writes `id name kind lat lng updated`, or `private` in place of the position; only
/// `id` if it has left.
struct SharedLandmark: JSONObject {
    private let subject: FilterSubject
    private let name: String
    private let updated: UInt64
    private let hasLeft: Bool
    /// Whether the link tells no position of it.
    let isHidden: Bool

    init(_ subject: FilterSubject, _ name: String, updated: UInt64, by link: SharedLink, hasLeft: Bool = false) {
        (self.subject, self.name, self.updated, self.hasLeft) = (subject, name, updated, hasLeft)
        isHidden = link.hides(subject)
    }

    func fields(to writer: inout JSONWriter) {
        writer.field("id", subject.id)
        guard !hasLeft else { return }
        writer.field("name", name)
        writer.field("kind", subject.kind.nilIfEmpty)
        if isHidden { writer.field("private", true) } else { writer.position(subject.coordinate) }
        writer.field("updated", time: updated)
    }
}

extension RingEntry {
    /// Appends the event that a link's reader gets for the change.
    ///
    /// - Returns: false if the reader gets no event.
    func write(to buffer: inout [UInt8], by link: SharedLink) -> Bool {
        guard let seen = operation(matching: link.filter), seen != .noted else { return false }
        let told = SharedLandmark(after, name, updated: at, by: link, hasLeft: seen.endsMatch)
        buffer += EventText.event(seen.endsMatch ? "left" : "changed", id: nil) { $0.object("landmark", told) }
        return true
    }
}

extension Problem {
    static let linkEnded = Problem(
        .unauthorized, "key_ended", "This link has ended, or it is not complete: ask who sent it for another.")
    static let strangeArea = Problem.invalid(
        "A link shows an area with one user, one source and \(LandmarkFilter.mostKinds) kinds at most.")
}
