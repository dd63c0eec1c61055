// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// One measurement of a load test, for example one of several message sizes.
struct BenchCase: Sendable {
    typealias Run = @Sendable (LoadShape, LoadWatch) async throws -> LoadResult

    /// The same traffic without the tested service, for comparison.
    struct Bare: Sendable {
        /// The name, such as `bare bus` or `bare disk`.
        var name: String
        /// Runs the traffic. The last argument is the result just measured; the bare run uses its sizes.
        var run: @Sendable (LoadShape, LoadWatch, LoadResult) async throws -> LoadResult
    }

    var label: String
    var shape: LoadShape
    /// The rows of one operation, if an operation carries several.
    var rowsPerOperation: Int?
    var run: Run
    var bare: Bare?
}
