// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

/// The result of a text search, best match first.
package struct SearchResult: Sendable {
    /// With the encoded `Landmark` as it is now.
    package var matches: [(id: Landmark.ID, record: Data)]
    package var searchedThrough: UInt64
    /// There were more matches than the search examines.
    package var isTruncated: Bool
}
