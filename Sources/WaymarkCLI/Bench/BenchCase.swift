// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// One measurement of a load test, for example with one of several message sizes.
struct BenchCase: Sendable {
    typealias Run = @Sendable (LoadShape, LoadWatch) async throws -> LoadResult

    /// The same traffic without the tested service, to compare the results with, such as `bare bus`. The last argument
    /// is the result of the tested service, whose message sizes the bare run uses.
    struct Bare: Sendable {
        var name: String
        var run: @Sendable (LoadShape, LoadWatch, LoadResult) async throws -> LoadResult
    }

    var label: String
    var shape: LoadShape
    /// The number of rows in one operation; nil if an operation has no rows.
    var rowsPerOperation: Int?
    var run: Run
    var bare: Bare?
}
