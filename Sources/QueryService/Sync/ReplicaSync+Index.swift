// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// Rebuilding the replica's spatial index on another thread.
extension ReplicaSync {
    func rebuildIndex() {
        guard let job = replica?.index.beginRebuild() else { return }
        let generation = counters.loads
        weak let sync = self
        home.spawn {
            let rebuilt = await Self.built(job)
            // The result fits only the replica that it was built from, because another replica uses other slots.
            if let sync, generation == sync.counters.loads { sync.replica?.index.adopt(rebuilt) }
        }
    }

    @concurrent
    private static func built(_ job: SpatialRebuild) async -> sending RebuiltBase { job.build() }
}
