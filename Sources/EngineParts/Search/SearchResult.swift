// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

/// The result of a text search, best match first.
struct SearchResult: Sendable {
    /// With the encoded `Landmark` as it is now.
    var matches: [(id: Landmark.ID, record: Data)]
    var searchedThrough: UInt64
    /// There were more matches than the search examines.
    var isTruncated: Bool
}
