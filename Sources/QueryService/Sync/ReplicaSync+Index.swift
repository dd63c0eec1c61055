// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// Rebuilds the replica's index away from the loop.
extension ReplicaSync {
    func rebuildIndex() {
        guard let job = replica?.beginRebuild() else { return }
        let generation = counters.loads
        weak let sync = self
        home.spawn {
            let rebuilt = await Self.built(job)
            // The result fits only the replica that it was built from: its slots mean nothing in another one.
            if let sync, generation == sync.counters.loads { sync.replica?.adopt(rebuilt) }
        }
    }

    @concurrent
    private static func built(_ job: SpatialRebuild) async -> sending RebuiltBase { job.build() }
}
