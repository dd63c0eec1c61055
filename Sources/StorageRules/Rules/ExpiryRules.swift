// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

extension CommandRunner {
    /// The maximum number of landmarks that are removed at once because their time has come.
    private static let mostExpired = 100

    /// Removes landmarks whose time has come, each with an ordinary revision of its own.
    func removeExpired(by caller: Caller, now: UInt64) throws -> WireReply {
        guard caller == .machine || !caller.isProven else { throw Refusal.noLandmark }
        for key in try tables.expiries.expired(at: now, limit: Self.mostExpired) {
            try tables.expiries.delete(expiryOf: key)
            if let stored = try landmarks.find(key: key) { try erase(stored, user: "", now: now) }
        }
        return .with { $0.done = WireDone() }
    }
}
