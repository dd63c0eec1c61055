// SPDX-License-Identifier: Apache-2.0

internal import Accounts
package import WaymarkClient

extension JSONWriter {
    /// Writes `fingerprint label user landmark track made expires` of a link, and for an area the fields of its filter.
    package mutating func link(_ grant: Grant) {
        field("fingerprint", "\(Fingerprint(grant.digest))")
        field("label", grant.label)
        field("user", grant.user.nilIfEmpty)
        field("landmark", grant.landmark?.description)
        field("track", grant.showsTrack)
        field("made", time: grant.made)
        field("expires", grant.expires.map { Timestamp.rfc3339($0) })
        if case .area(let filter) = grant.target { fields(filter) }
    }

    /// Writes `fingerprint label landmark user made expires points used friends` of a phone's key.
    package mutating func phone(_ grant: Grant) {
        field("fingerprint", "\(Fingerprint(grant.digest))")
        field("label", grant.label)
        field("landmark", grant.landmark?.description)
        field("user", grant.user.nilIfEmpty)
        field("made", time: grant.made)
        field("expires", grant.expires.map { Timestamp.rfc3339($0) })
        field("points", grant.points)
        field("used", grant.used.map { Timestamp.rfc3339($0) })
        field("friends", grant.locates)
    }
}
