// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// One thing that a load test measures: a size of its sweep, say.
struct BenchCase: Sendable {
    typealias Run = @Sendable (LoadShape, LoadWatch) async throws -> LoadResult

    /// The same traffic without what is tested, for comparison.
    struct Bare: Sendable {
        /// `bare bus`, `bare disk`.
        var name: String
        /// With what was measured just before, whose sizes it takes.
        var run: @Sendable (LoadShape, LoadWatch, LoadResult) async throws -> LoadResult
    }

    var label: String
    var shape: LoadShape
    /// Of an operation that carries several.
    var rowsPerOperation: Int?
    var run: Run
    var bare: Bare?
}
