// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkClient

/// Storage's part of the status, through a query service. It is absent while storage does not answer within 2 s, as on
/// a busy machine; so the service is asked until it is there.
func storageStatus(_ client: WaymarkClient) async throws -> StorageStatus {
    var told: StorageStatus?
    try await until("storage tells its status") {
        told = try await client.status().storage
        return told != nil
    }
    return try #require(told)
}
