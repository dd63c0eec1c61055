// SPDX-License-Identifier: Apache-2.0

import Geodesy

@testable import QueryService

extension Replica {
    convenience init(_ loaded: ReplicaSnapshot) {
        self.init(
            loaded, SpatialTree(loaded.points), LandmarkOrders(of: loaded), LandmarkStore(reserving: loaded.storeBytes))
    }
}
