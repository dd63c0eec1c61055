// SPDX-License-Identifier: Apache-2.0

public import Accounts
internal import FoundationEssentials
import WaymarkProtocol
public import ZeroMQ

/// The requests of a client about grants: phones' keys and links.
public struct GrantRequests: Sendable {
    let client: WaymarkClient

    /// Returns a page of the caller's own grants, or of everybody's if the caller may end those.
    ///
    /// - Parameters:
    ///   - kind: returns only grants of this kind; nil for all.
    ///   - digest: returns only grants after this one; nil to begin with the first.
    ///   - limit: the maximum number of grants, 1 to 1,000.
    public func page(
        _ kind: Grant.Kind? = nil, after digest: CurveKey? = nil, limit: Int = 1_000
    ) async throws(ClientError) -> (grants: [Grant], hasMore: Bool) {
        let list = WireListGrants.with {
            ($0.kind, $0.after) = (kind?.wire ?? .unspecified, Data(digest?.bytes ?? []))
            $0.limit = UInt32(clamping: limit)
        }
        let page = try await grants(.with { $0.grants = list })
        return (page.grants, page.hasMore)
    }

    /// Returns all of the grants that ``page(_:after:limit:)`` returns.
    public func all(_ kind: Grant.Kind? = nil) async throws(ClientError) -> [Grant] {
        try await allPages { (last: Grant?) async throws(ClientError) in
            try await page(kind, after: last?.digest)
        }
    }

    /// Makes a grant whose secret is `token`, which stays with the caller.
    ///
    /// - Parameters:
    ///   - target: a landmark of the caller; for a link also an area.
    ///   - expires: the end of validity, in Unix milliseconds; nil to end it by hand only.
    ///   - showsTrack: whether a link also shows the landmark's track.
    ///   - locates: whether a phone is told the positions of others.
    public func add(
        _ token: GrantToken, _ kind: Grant.Kind, _ target: Grant.Target, label: String = "", expires: UInt64? = nil,
        showsTrack: Bool = false, locates: Bool = false
    ) async throws(ClientError) -> Grant {
        let add = WireAddGrant.with {
            ($0.kind, $0.label, $0.digest) = (kind.wire, label, Data(token.digest?.bytes ?? []))
            ($0.track, $0.expires, $0.locates) = (showsTrack, expires ?? 0, locates)
            switch target {
            case .landmark(let id): $0.landmark = id.wire
            case .area(let filter): $0.filter = filter.kept
            }
        }
        guard let grant = try await grants(.with { $0.addGrant = add }).grants.first else {
            throw .unreadableAnswer("grant")
        }
        return grant
    }

    /// Ends a grant at once.
    public func end(_ digest: CurveKey) async throws(ClientError) {
        try await client.done(.with { $0.endGrant.digest = Data(digest.bytes) })
    }

    /// Returns the grant of a secret, as services ask it, with the areas in which its owner's landmarks show no
    /// position; nil if there is none, or if it has ended.
    public func find(_ digest: CurveKey) async throws(ClientError) -> (grant: Grant, zones: [FeedFilter])? {
        let page = try await grants(.with { $0.findGrant.digest = Data(digest.bytes) })
        return page.grants.first.map { (grant: $0, zones: page.zones) }
    }

    private func grants(
        _ request: WireRequest
    ) async throws(ClientError) -> (grants: [Grant], hasMore: Bool, zones: [FeedFilter]) {
        try await client.ask(request, \.grants, "grants") { (page) throws(InvalidInput) in
            let grants = try page.grants.map { (grant) throws(InvalidInput) in try Grant(grant) }.compactMap(\.self)
            let zones = try page.zones.map { (zone) throws(InvalidInput) in try FeedFilter(encoded: zone) }
            return (grants, page.more, zones)
        }
    }
}
