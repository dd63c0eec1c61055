// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

/// The result of a text search, best match first.
package struct SearchResult: Sendable {
    /// Matches, each with its encoded `Landmark` as it is now.
    package var matches: [(id: Landmark.ID, record: Data)]
    package var searchedThrough: UInt64
    /// Whether there were more matches than a search examines.
    package var isTruncated: Bool
}
