// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// The index over the replica is built anew away from the loop.
extension QueryServer {
    func rebuildIndex() {
        guard let job = replica?.beginRebuild() else { return }
        let generation = counters.reloads
        Task.detached { [weak self] in
            let rebuilt = job.build()
            await self?.adoptIndex(rebuilt, of: generation)
        }
    }

    /// - Parameter generation: which replica it was made of: its slots mean nothing in another one.
    private func adoptIndex(_ rebuilt: sending Geodesy.RebuiltBase, of generation: UInt64) {
        guard generation == counters.reloads, loaded == nil else { return }
        replica?.adopt(rebuilt)
    }
}
