// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Grants by the digests of their secrets, and the times at which landmarks are to be removed, by the landmarks' keys.
protocol GrantTable {
    func grant(_ digest: [UInt8]) throws -> WireGrant?
    /// Counts the grants of an account, and those of them that move a landmark.
    func grantCounts(of account: UInt64) throws -> (own: Int, moving: Int)
    /// Counts everybody's grants.
    func grantCount() throws -> Int
    func insert(_ grant: WireGrant) throws
    func update(_ grant: WireGrant) throws
    func delete(grant digest: [UInt8]) throws
    func deleteGrants(ofAccount account: UInt64) throws
    func deleteGrants(ofLandmark key: UInt64) throws
    /// Deletes the grants that ended before `time`, in Unix milliseconds.
    func deleteGrants(expiredBefore time: UInt64) throws

    /// - Parameter time: when the landmark is to be removed, in Unix milliseconds.
    func insert(expiry time: UInt64, of landmark: UInt64) throws
    func delete(expiryOf landmark: UInt64) throws
    /// Returns up to `limit` landmarks whose time has come, the oldest time first.
    func expired(at now: UInt64, limit: Int) throws -> [UInt64]
    /// Returns the keys of landmarks that have a grant or an end.
    func attachedLandmarks() throws -> [UInt64]
}
