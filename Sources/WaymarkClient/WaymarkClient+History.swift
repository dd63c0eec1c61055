// SPDX-License-Identifier: Apache-2.0

package import Landmarks

extension WaymarkClient {
    /// The changes behind the newest entries of a history, by revision. A change that the log no longer keeps or that
    /// cannot be read now is left out, because it is only additional information.
    package func changes(of history: [LandmarkHistory.Entry], atMost most: Int = 100) async -> [UInt64: Change] {
        guard !history.isEmpty, let epoch = try? await hello().position.epoch else { return [:] }
        var found: [UInt64: Change] = [:]
        for entry in history.prefix(most) {
            let before = Position(epoch: epoch, rev: entry.rev - min(entry.rev, 1))
            guard let page = try? await self.changes(after: before, limit: 1) else { break }
            if let change = page.changes.first?.change, change.rev == entry.rev { found[entry.rev] = change }
        }
        return found
    }
}
