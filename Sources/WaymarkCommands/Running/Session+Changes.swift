// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient

extension Session {
    /// Of a history's newest entries the changes themselves, by revision. One that is no longer kept, or cannot be had
    /// now, is left out: it explains more than was asked for.
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
