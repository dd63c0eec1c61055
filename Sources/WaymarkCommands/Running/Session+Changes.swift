// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient

extension Session {
    /// The changes behind the newest entries of a history, by revision. A change that the log no longer keeps or that
    /// cannot be read now is left out, because it is only additional information.
    func changes(of history: [LandmarkHistory.Entry], atMost most: Int = 100) async -> [UInt64: Change] {
        guard !history.isEmpty, let epoch = try? await client.hello().position.epoch else { return [:] }
        var changes: [UInt64: Change] = [:]
        for entry in history.prefix(most) {
            let before = Position(epoch: epoch, rev: entry.rev - min(entry.rev, 1))
            guard let page = try? await client.changes(after: before, limit: 1) else { break }
            if let change = page.changes.first?.change, change.rev == entry.rev { changes[entry.rev] = change }
        }
        return changes
    }
}
