// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

/// The result of a text search, best match first.
package struct SearchResult: Sendable {
    /// The matches, each with its encoded `Landmark` in its present state.
    package var matches: [(id: Landmark.ID, record: Data)]
    package var searchedThrough: UInt64
    /// Whether there were more matches than a search may examine.
    package var isTruncated: Bool
}
