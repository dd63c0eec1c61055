// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

@testable import StorageRules

extension MemoryTables: TrackTable {
    func newest(of landmark: UInt64, upTo time: UInt64) -> UInt64? {
        rows.points[landmark]?.keys.filter { $0 <= time }.max()
    }
    func store(_ point: TrackPoint, of landmark: UInt64, now: UInt64) {
        rows.points[landmark, default: [:]][point.at] = point
    }
    func known(_ times: [UInt64], of landmark: UInt64) -> Set<UInt64> {
        Set(times).intersection(rows.points[landmark, default: [:]].keys)
    }
    func count(of landmark: UInt64) -> Int { rows.points[landmark, default: [:]].count }
    func delete(of landmark: UInt64, before time: UInt64, limit: Int) -> Int {
        let old = rows.points[landmark, default: [:]].keys.filter { $0 < time }.sorted().prefix(limit)
        for at in old { rows.points[landmark]?[at] = nil }
        if rows.points[landmark]?.isEmpty == true { rows.points[landmark] = nil }
        return old.count
    }
    func tracks(after key: UInt64, limit: Int) -> [(landmark: UInt64, record: [UInt8]?)] {
        rows.points.keys.filter { $0 > key }.sorted().prefix(limit).map { ($0, rows.landmarks[$0]) }
    }
}

extension MemoryTables: GrantTable {
    func grant(_ digest: [UInt8]) -> WireGrant? { rows.grants[digest] }
    func grantCounts(of account: UInt64) -> (own: Int, moving: Int) {
        let own = rows.grants.values.filter { $0.account == account }
        return (own.count, own.count { $0.kind == .move })
    }
    func grantCount() -> Int { rows.grants.count }
    func insert(_ grant: WireGrant) { rows.grants[[UInt8](grant.digest)] = grant }
    func update(_ grant: WireGrant) { insert(grant) }
    func delete(grant digest: [UInt8]) { rows.grants[digest] = nil }
    func deleteGrants(ofAccount account: UInt64) { rows.grants = rows.grants.filter { $0.value.account != account } }
    func deleteGrants(ofLandmark key: UInt64) {
        rows.grants = rows.grants.filter { UUIDv7(bytes: $0.value.landmark)?.high != key }
    }
    func deleteGrants(expiredBefore time: UInt64) {
        rows.grants = rows.grants.filter { $0.value.expires == 0 || $0.value.expires > time }
    }

    func insert(expiry time: UInt64, of landmark: UInt64) { rows.expiries[landmark] = time }
    func delete(expiryOf landmark: UInt64) { rows.expiries[landmark] = nil }
    func expired(at now: UInt64, limit: Int) -> [UInt64] {
        rows.expiries.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(limit)
            .map(\.key)
    }
    func attachedLandmarks() -> [UInt64] {
        rows.grants.values.compactMap { UUIDv7(bytes: $0.landmark)?.high } + rows.expiries.keys
    }
}
