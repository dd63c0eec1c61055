// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import WaymarkClient
import WaymarkProtocol

/// Reads everything that a service has, in as many pages as necessary.
enum ProcessHistory {
    /// The whole log of changes.
    static func all(_ client: WaymarkClient) async throws -> [Change] {
        var position = try await client.hello().position
        position.rev = 0
        var changes: [Change] = []
        while true {
            let page = try await client.changes(after: position, limit: 1_000)
            changes += page.changes.map(\.change)
            guard page.through.rev > position.rev, page.through.rev < page.head else { return changes }
            position = page.through
        }
    }

    /// All landmarks, from the replica.
    static func landmarks(_ client: WaymarkClient, filter: LandmarkFilter = LandmarkFilter()) async throws -> [Landmark]
    {
        let head = try await client.changesHead()
        var landmarks: [Landmark] = []
        var cursor: Data?
        repeat {
            let page = try await client.list(.byName, limit: 1_000, filter: filter, after: cursor, atLeast: head)
            landmarks += page.hits.map(\.landmark)
            cursor = page.cursor
        } while cursor != nil
        return landmarks
    }
}

extension WaymarkClient {
    /// Storage's position; the replica may be behind.
    fileprivate func changesHead() async throws -> Position {
        var position = try await hello().position
        position.rev = try await changes(after: position, limit: 1).head
        return position
    }
}
