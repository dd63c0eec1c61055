// SPDX-License-Identifier: Apache-2.0

import Landmarks

@testable import StorageService

extension StorageReader {
    func changes(since rev: UInt64, run: UUIDv7?, limit: Int, maxBytes: Int) async throws(EngineError) -> ChangeLogPage
    {
        try await changes(since: rev, run: run, matching: .everything, limit: limit, maxBytes: maxBytes)
    }

    func snapshot(after: Landmark.ID?, limit: Int, maxBytes: Int) async throws(EngineError) -> RecordPage {
        try await snapshot(after: after, matching: .everything, limit: limit, maxBytes: maxBytes)
    }
}
