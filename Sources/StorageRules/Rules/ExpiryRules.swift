// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The rules for landmarks that have an end.
struct ExpiryRules {
    /// The maximum number of landmarks that are removed at once because their time has come.
    private static let most = 100

    let runner: CommandRunner

    /// Removes landmarks whose time has come, each with an ordinary revision of its own.
    func removeExpired(by caller: Caller, now: UInt64) throws -> WireReply {
        guard caller == .machine || !caller.isProven else { throw Refusal.noLandmark }
        let expiries = runner.tables.expiries
        try runner.tables.grants.deleteGrants(expiredBefore: now)
        for key in try expiries.expired(at: now, limit: Self.most) {
            try expiries.delete(expiryOf: key)
            // One that cannot be read stays, so that those behind it go.
            guard let found = try? runner.landmarks.find(key: key) else { continue }
            try runner.erase(found, user: "", now: now)
        }
        return .with { $0.done = WireDone() }
    }
}
