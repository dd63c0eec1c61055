// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// Rebuilds the replica's index away from the loop.
extension QueryServer {
    func rebuildIndex() {
        guard let job = replica?.beginRebuild() else { return }
        let generation = counters.reloads
        Task.detached { [weak self] in
            let rebuilt = job.build()
            await self?.adoptIndex(rebuilt, of: generation)
        }
    }

    /// - Parameter generation: the replica that it was built from. Its slots mean nothing in another replica.
    private func adoptIndex(_ rebuilt: sending Geodesy.RebuiltBase, of generation: UInt64) {
        guard generation == counters.reloads else { return }
        replica?.adopt(rebuilt)
    }
}
