// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import QueryService

extension MovingTests {
    func sources(_ stage: Stage) async throws {
        try await stage.move(.query, ["waymark_query_source_rows", "waymark_query_source_age_seconds"]) {
            try Stage.places(5).write(to: stage.source, atomically: true, encoding: .utf8)
        }
        try await until(stage) { $0.value("waymark_query_source_rows") == 5 }
        let failed = ["source": "places", "result": "failed"]
        try FileManager.default.removeItem(at: stage.source)
        try await until(stage) { $0.value("waymark_query_fetches_total", failed) > 0 }
        // A source keeps its counters when its settings change, loses its metrics when it is removed, and gets them
        // again when it returns.
        func places(every: String) -> String { "places:\n    url: file:\(stage.source.path)\n    every: \(every)\n" }
        let before = try await stage.fresh(.query).value("waymark_query_fetches_total", failed)
        try await stage.query.apply(stage.settings(sources: places(every: "2s")))
        try await until(stage) { $0.value("waymark_query_fetches_total", failed) > before }
        try await stage.query.apply(stage.settings(sources: nil))
        try await until(stage) { $0.samples(of: "waymark_query_source_age_seconds").isEmpty }
        try Stage.places(5).write(to: stage.source, atomically: true, encoding: .utf8)
        try await stage.query.apply(stage.settings(sources: places(every: "1s")))
        try await until(stage) { $0.value("waymark_query_source_rows") == 5 }
    }

    func until(
        _ stage: Stage, _ side: Stage.Side = .query, sourceLocation: SourceLocation_ = #_sourceLocation,
        _ isSo: (Exposition) -> Bool
    ) async throws {
        try await TestTurns.until(sourceLocation: sourceLocation) { try await isSo(stage.fresh(side)) }
    }
}
